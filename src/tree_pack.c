/*
 * tree_pack.c: how sorted boxes share leaves.
 *
 * A group of consecutive items lies in about a square (cube), to be cut into those of four leaves
 * (eight):
 *
 *      +-------+-------+
 *      |   3   |   4   |     two rows of two columns: rows are cut off as the items are sorted,
 *      +-------+-------+     along the slab; then each row is sorted across
 *      |   1   |   2   |
 *      +-------+-------+
 *
 * But boxes are dense here and sparse there, and the slabs are as wide as is right on the average.
 * So each group looks how long it is itself: a short one is one row of four columns, a long one has
 * but one column. (One that turns from a slab to the next seems short; there are few.)
 */
#include <stdlib.h>

#include "tree_parts.h"

/* The extent of a group on an axis that is cut, from every fourth item (eighth, in 3D). */
static double tree_width(const bs_tiles *t, const bs_tree_item *item, int axis) {
    uint32_t least = UINT32_MAX;
    uint32_t greatest = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < BS_TREE_GROUP; i += BS_TREE_GROUP / BS_LANES) {
        uint32_t cell = bs_tiles_cell(item[i].cells, axis);
        least = cell < least ? cell : least;
        greatest = cell > greatest ? cell : greatest;
    }
    const double of_all = (double)(BS_LANES + 1) / (BS_LANES - 1); /* as eight span 7/9 of them */
    return (double)(int32_t)(greatest - least + 1) * of_all * t->length[axis];
}

/* The same on the longest axis, along which it is sorted. */
static double tree_length(const bs_tiles *t, const bs_tree_item *item) {
    int32_t first = (int32_t)bs_tiles_cell(item[0].cells, DIM - 1);
    int32_t last = (int32_t)bs_tiles_cell(item[BS_TREE_GROUP - 1].cells, DIM - 1);
    return (double)(abs(last - first) + 1) * t->length[DIM - 1];
}

/*
 * Into how many columns to cut a group on each axis, so that leaves are as wide as they are long:
 * twice as many make them half as wide, and twice as long. Returns how many boxes are in a row.
 */
static size_t tree_columns(const bs_tiles *t, const bs_tree_item *item,
                           size_t columns[BS_TILES_CUT]) {
    double width[BS_TILES_CUT];
    double length = tree_length(t, item) * BS_LANES / BS_TREE_GROUP;
    size_t row = BS_LANES;
    for (int i = 0; i < BS_TILES_CUT; i++) {
        columns[i] = 1;
        width[i] = tree_width(t, item, i);
    }
    for (; row < BS_TREE_GROUP; row *= 2) {
        int widest = 0;
        for (int i = 0; i < BS_TILES_CUT; i++) {
            widest = width[i] > width[widest] ? i : widest;
        }
        if (!(width[widest] > 2 * length)) {
            break;
        }
        columns[widest] *= 2;
        width[widest] /= 2;
        length *= 2;
    }
    return row;
}

/* Puts a box into a leaf. Places count lanes, from that of node 0 on. */
static inline void tree_put_box(bs_tree *t, uint32_t box, size_t place) {
    assert(box < t->place_cap && place / BS_LANES < t->node_cap);
    t->node[place / BS_LANES].id[place % BS_LANES] = box;
    t->place[box] = (uint32_t)place;
}

/*
 * Sorts a group, row by row, by an axis that is cut, and puts its boxes into leaves. In 3D it first
 * does the same with the columns of each row, by the second axis. `columns` are those of this axis,
 * then of the next. All keys are found before they are ranked: a wide load of what narrow stores
 * have just written waits for these (store forwarding).
 */
static void tree_pack_rows(bs_tree *t, const bs_tree_item *item, size_t row, const size_t *columns,
                           int axis, size_t place) {
    uint32_t key[BS_TREE_GROUP];
    uint32_t rank[BS_TREE_GROUP];
    bs_tree_item sorted[BS_TREE_GROUP];
    assert(row <= BS_TREE_GROUP && row % BS_LANES == 0);
    for (uint32_t i = 0; i < BS_TREE_GROUP; i++) {
        key[i] = bs_tiles_cell(item[i].cells, axis) * BS_TREE_GROUP + i;
    }
    for (size_t first = 0; first < BS_TREE_GROUP; first += row) {
        bs_ranks(key + first, rank + first, row);
        for (size_t i = first; i < first + row; i++) {
            if (axis == BS_TILES_CUT - 1) {
                tree_put_box(t, item[i].box, place + first + rank[i]);
            } else {
                sorted[first + rank[i]] = item[i];
            }
        }
    }
    if (axis < BS_TILES_CUT - 1) {
        tree_pack_rows(t, sorted, row / *columns, columns + 1, axis + 1, place);
    }
}

static void tree_pack_group(bs_tree *t, const bs_tree_item *item, size_t n, size_t place) {
    size_t columns[BS_TILES_CUT];
    bool has_cells = n == BS_TREE_GROUP && t->kept > 0;
    size_t row = has_cells ? tree_columns(&t->tiles, item, columns) : BS_LANES;
    if (row > BS_LANES) {
        tree_pack_rows(t, item, row, columns, 0, place);
    } else {
        for (size_t i = 0; i < n; i++) {
            tree_put_box(t, item[i].box, place + i);
        }
    }
}

uint32_t bs_tree_pack_leaves(bs_tree *t) {
    size_t n = t->base.count;
    size_t leaves = (n + BS_LANES - 1) / BS_LANES;
    assert(leaves < t->node_cap && leaves < t->link_cap);
    for (size_t node = 1; node <= leaves; node++) {
        t->link[node] = (bs_tree_link){BS_NO_NODE, 0, BS_LANES, 0};
    }
    if (n % BS_LANES != 0) {
        t->link[leaves].count = (uint8_t)(n % BS_LANES);
        memset(t->node[leaves].id, 0, sizeof t->node[leaves].id);
    }
    for (size_t i = 0; i < n; i += BS_TREE_GROUP) {
        size_t rest = n - i;
        tree_pack_group(t, t->item + i, rest < BS_TREE_GROUP ? rest : BS_TREE_GROUP, BS_LANES + i);
    }
    return (uint32_t)leaves;
}
