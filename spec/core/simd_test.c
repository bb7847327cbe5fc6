/* simd_test.c: simd_test.h with the vectors that every processor of this kind has. */
#include "simd_test.h"

int main(void) {
    test_simd("any processor");
    return 0;
}
