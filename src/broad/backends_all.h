/*
 * backends_all.h: all files of all back ends, for one unit of the two that have them.
 *
 * They are compiled twice on x86-64: as they are (backends_baseline.c), and once more with AVX2
 * (backends_avx2.c). The same source, the same answers. Functions are each unit's own; only the
 * tables have other names.
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
