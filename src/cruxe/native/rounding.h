/* Figures of six digits, as Python rounds them: see model/rounding.py. */

#ifndef CRUXE_ROUNDING_H
#define CRUXE_ROUNDING_H

#include <math.h>

#define PARTS 1000000.0
#define NEARLY_HALF 0.499999

/* The millionths of a rounded figure, a whole number. */
static inline double parts_of(double value)
{
    double parts = value * PARTS, whole = rint(parts);
    if (fabs(parts - whole) < NEARLY_HALF)
        return whole;
    /* Halfway, as far as a product can tell, as a quarter of all sums of three are. Twice the figure
     * less the odd number in the middle has the sign of what is left, since it is rounded once. */
    double below = floor(parts), left = fma(value, 2 * PARTS, -(2 * below + 1));
    return below + (left > 0 || (left == 0 && fmod(below, 2) != 0));
}

/* Rounded to the digits that answers have. */
static inline double rounded(double value)
{
    return parts_of(value) / PARTS;
}

#endif
