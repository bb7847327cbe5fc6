/*
 * backends_all.h: all files of all back ends, for the two units that compile them: on x86-64 once
 * as they are (backends_baseline.c), and once with AVX2 (backends_avx2.c). Answers are the same.
 * All functions are static; only the tables have names of their own.
 */
#include "backends.h"

#include "flat/sweep.c"
#include "grid/grid_cast.c"
#include "grid/fill.c"
#include "grid/grid.c"
#include "grid/grid_pairs.c"
#include "tree/build.c"
#include "tree/change.c"
#include "tree/search.c"
#include "tree/tree.c"
