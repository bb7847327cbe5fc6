/* backends_baseline.c: the back ends, compiled for any processor of the platform. */
#define BS_VARIANT(name) name

#include "backends_all.h"
