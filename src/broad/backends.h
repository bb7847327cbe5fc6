/* backends.h: the tables of all back ends, in both variants. It relies on backend.h. */
#ifndef BS_BACKENDS_H
#define BS_BACKENDS_H

#include "backend.h"
#include "simd/variant.h"

#pragma GCC visibility push(hidden)

extern const bs_backend_type bs_brute_type, bs_sweep_type, bs_grid_type, bs_tree_type;
extern const bs_backend_type bs_auto_type; /* It only calls others, so it needs no variant. */

#if BS_HAS_AVX2_VARIANT
extern const bs_backend_type bs_brute_type_avx2, bs_sweep_type_avx2, bs_grid_type_avx2,
    bs_tree_type_avx2;
#endif

#pragma GCC visibility pop

#endif
