/* subjects.c: lists the subjects: ours, and the libraries that this build has. */
#include "subject.h"

enum { MOST = 32 };

static size_t add(const subject_type **to, size_t n, const subject_type *types) {
    for (; types->name != NULL; types++) {
        to[n++] = types;
    }
    return n;
}

const subject_type *const *subject_all(size_t *n) {
    static const subject_type *all[MOST];
    *n = add(all, 0, ours_types);
#ifdef WITH_BOX2D
    *n = add(all, *n, box2d_types);
#endif
#ifdef WITH_CHIPMUNK
    *n = add(all, *n, chipmunk_types);
#endif
#ifdef WITH_BULLET
    *n = add(all, *n, bullet_types);
#endif
    return all;
}
