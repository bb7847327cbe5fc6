/*
 * arm.c: functions that Clang calls on 32-bit ARM, by the names of ARM's run-time ABI (RTABI32):
 * division of integers, as these processors need not have an instruction for it, and conversion of
 * 64-bit integers to floating-point numbers and back. All are exact, or rounded once.
 */
#include <stdint.h>

uint64_t divide(uint64_t a, uint64_t b, uint64_t *rest);
uint32_t __aeabi_uidiv(uint32_t a, uint32_t b);
uint64_t __aeabi_uidivmod(uint32_t a, uint32_t b);
double __aeabi_ul2d(uint64_t a);
double __aeabi_l2d(int64_t a);
float __aeabi_l2f(int64_t a);
float __aeabi_ul2f(uint64_t a);
uint64_t __aeabi_d2ulz(double a);
int64_t __aeabi_d2lz(double a);

static const double TWO_32 = 4294967296.0;

/* Long division, from the highest bit that the quotient can have. */
uint64_t divide(uint64_t a, uint64_t b, uint64_t *rest) {
    uint64_t quotient = 0;
    int shift = a >= b && b != 0 ? __builtin_clzll(b) - __builtin_clzll(a) : -1;
    for (; shift >= 0; shift--) {
        if (a >= b << shift) {
            a -= b << shift;
            quotient |= (uint64_t)1 << shift;
        }
    }
    *rest = a;
    return quotient;
}

/* The quotient is returned in r0 and r1, the remainder in r2 and r3. */
__asm__(".syntax unified\n"
        ".arm\n"
        ".hidden __aeabi_uldivmod\n"
        ".globl __aeabi_uldivmod\n"
        ".type __aeabi_uldivmod,%function\n"
        "__aeabi_uldivmod:\n"
        "    push {r11, lr}\n"
        "    sub sp, sp, #16\n"
        "    add r12, sp, #8\n"
        "    str r12, [sp]\n"
        "    bl divide\n"
        "    ldr r2, [sp, #8]\n"
        "    ldr r3, [sp, #12]\n"
        "    add sp, sp, #16\n"
        "    pop {r11, pc}\n");

static uint32_t divide_32(uint32_t a, uint32_t b, uint32_t *rest) {
    uint32_t quotient = 0;
    int shift = a >= b && b != 0 ? __builtin_clz(b) - __builtin_clz(a) : -1;
    for (; shift >= 0; shift--) {
        if (a >= b << shift) {
            a -= b << shift;
            quotient |= (uint32_t)1 << shift;
        }
    }
    *rest = a;
    return quotient;
}

uint32_t __aeabi_uidiv(uint32_t a, uint32_t b) {
    uint32_t rest;
    return divide_32(a, b, &rest);
}

/* The quotient is returned in r0, the remainder in r1. */
uint64_t __aeabi_uidivmod(uint32_t a, uint32_t b) {
    uint32_t rest, quotient = divide_32(a, b, &rest);
    return (uint64_t)rest << 32 | quotient;
}

/* Both halves and the product are exact, so only the sum is rounded. */
double __aeabi_ul2d(uint64_t a) {
    return (double)(uint32_t)(a >> 32) * TWO_32 + (double)(uint32_t)a;
}

double __aeabi_l2d(int64_t a) {
    return (double)(int32_t)(a >> 32) * TWO_32 + (double)(uint32_t)a;
}

/*
 * The bits that a double cannot hold become one bit that is too low for a float. So this is rounded
 * once, too.
 */
float __aeabi_ul2f(uint64_t a) {
    if (a >> 53 != 0) {
        a = (a & ~(uint64_t)0x7ff) | (a & 0x7ff ? 0x800 : 0);
    }
    return (float)__aeabi_ul2d(a);
}

float __aeabi_l2f(int64_t a) {
    return a < 0 ? -__aeabi_ul2f(-(uint64_t)a) : __aeabi_ul2f((uint64_t)a);
}

uint64_t __aeabi_d2ulz(double a) {
    uint32_t high = (uint32_t)(a / TWO_32);
    return (uint64_t)high << 32 | (uint32_t)(a - (double)high * TWO_32);
}

int64_t __aeabi_d2lz(double a) {
    return a < 0 ? (int64_t)-__aeabi_d2ulz(-a) : (int64_t)__aeabi_d2ulz(a);
}
