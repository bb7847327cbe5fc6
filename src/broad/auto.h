/* auto.h: what an `auto` is made of; only for auto.c and its tests. It relies on backend.h. */
#ifndef BS_AUTO_H
#define BS_AUTO_H

#include "backend.h"
#include "due.h"

typedef struct bs_auto {
    bs_backend base;
    bs_settings settings; /* The settings of the tree and the grid. */
    bs_backend *tree;     /* It holds all boxes. */
    bs_backend *grid;     /* It holds all boxes once more, for casts; it may be NULL. */
    bs_credit credit;     /* Whether a grid is wanted. */
} bs_auto;

#endif
