/* simd_test.c: see simd_test.h. */
#include "simd_test.h"

int main(void) {
    test_simd("any processor");
    return 0;
}
