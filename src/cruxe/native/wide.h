/* Loops that are built twice: for every processor, and for those that take more numbers at a time. */

#ifndef CRUXE_WIDE_H
#define CRUXE_WIDE_H

/* Processors of this kind may take 256 bits of numbers at a time, but not all of them can. Nothing is
 * fused in either build, so both give the same to the bit. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_WIDE_NUMBERS __attribute__((target("avx2")))
#define HAS_WIDE_NUMBERS __builtin_cpu_supports("avx2")
#define ALWAYS_INLINE __attribute__((always_inline)) inline
#else
#define WITH_WIDE_NUMBERS
#define HAS_WIDE_NUMBERS 0
#define ALWAYS_INLINE inline
#endif

#endif
