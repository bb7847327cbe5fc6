/* stdint.h: the types as the compiler has them for its target. */
#ifndef SDK_STDINT_H
#define SDK_STDINT_H

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#define INT32_MAX __INT32_MAX__
#define INT32_MIN (-__INT32_MAX__ - 1)
#define INT64_MAX __INT64_MAX__
#define INT64_MIN (-__INT64_MAX__ - 1)
#define INTPTR_MAX __INTPTR_MAX__
#define SIZE_MAX __SIZE_MAX__
#define UINT8_MAX __UINT8_MAX__
#define UINT16_MAX __UINT16_MAX__
#define UINT32_MAX __UINT32_MAX__
#define UINT64_MAX __UINT64_MAX__
#define SDK_JOIN2(a, b) a##b
#define SDK_JOIN(a, b) SDK_JOIN2(a, b)
#define INT64_C(c) SDK_JOIN(c, __INT64_C_SUFFIX__)
#define UINT64_C(c) SDK_JOIN(c, __UINT64_C_SUFFIX__)

#endif
