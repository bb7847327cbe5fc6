/* assert.h: packages are built without assertions at run time. */
#define assert(condition) ((void)0)
#define static_assert _Static_assert
