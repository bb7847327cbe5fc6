/* limits.h: the compiler's own header has all of it, and asks for this one. */
