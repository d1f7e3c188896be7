/* Rounds figures as Python does: see model/rounding.py. */

#ifndef CRUXE_ROUNDING_H
#define CRUXE_ROUNDING_H

#include <math.h>

#define NEARLY_HALF 0.499999

/* A figure rounded to so many parts of one, half to even by its own digits. */
static inline double rounded(double value, double parts_of_one)
{
    double parts = value * parts_of_one, whole = rint(parts);
    if (fabs(parts - whole) < NEARLY_HALF)
        return whole / parts_of_one;
    /* Halfway, as far as a product can tell, as a quarter of all sums of three are. Twice the figure
     * less the odd number in the middle has the sign of what is left, since it is rounded once. */
    double below = floor(parts), left = fma(value, 2 * parts_of_one, -(2 * below + 1));
    return (below + (left > 0 || (left == 0 && fmod(below, 2) != 0))) / parts_of_one;
}

#endif
