/* target.h: the fuzz target, as libFuzzer calls it, and what drivers can ask it. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs an input; aborts at the first mismatch. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* If true, each operation is named before it runs. */
extern bool fuzz_tell;

/* The number of operations since the start, and the number of each; NULL behind the last one. */
uint64_t fuzz_operations(void);
const char *fuzz_operation(size_t number, uint64_t *count);

/* The hash of all answers so far, if they are hashed (trial.h). */
uint64_t fuzz_hash(void);

#endif
