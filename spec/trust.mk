# trust.mk: what looks for defects beyond the specs. Included by the Makefile; see TESTING.md.

.PHONY: fuzz fuzz-random fuzz-long fuzz-guided

# --- fuzzing --------------------------------------------------------------------------------------

# Operations for each number of axes, and what random inputs begin from.
FUZZ_OPS := 500000
FUZZ_SEED := 1
FUZZ_SECONDS := 300
FUZZ_CHECK := 1
fuzz_sources := $(filter-out spec/fuzz/find_once.c,$(wildcard spec/fuzz/*.c))
fuzz_corpus = $(wildcard spec/fuzz/corpus/*)
fuzz_flags :=
# Reports end as mismatches do, so that the driver keeps the input.
fuzz_env := ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1

fuzz: ## random calls on every back end against plain loops, under sanitizers (FUZZ_SEED=n)
	@tools/install.sh cc
	@$(MAKE) -s fuzz-random SANITIZE=1 WERROR=

fuzz-random:
	@$(MAKE) -s $(PARALLEL) $(CORE)/fuzz2 $(CORE)/fuzz3
	@$(MAKE) -s $(PARALLEL) fuzz-in-2 fuzz-in-3

fuzz-in-%:
	@$(fuzz_env) $(CORE)/fuzz$* $(fuzz_corpus) ops=$(FUZZ_OPS) seed=$(FUZZ_SEED) \
	    check=$(FUZZ_CHECK) keep=$(CORE)

# The linker puts find_once.c before what it replaces.
fuzz-long: ## ten million of them, faster: with assertions, checkers now and then, no sanitizers
	@tools/install.sh cc
	@$(MAKE) -s fuzz-random CORE=build/fuzz-core CHECKS= WERROR= FUZZ_OPS=10000000 FUZZ_CHECK=64 \
	    fuzz_flags="spec/fuzz/find_once.c -Wl,--wrap=bs_backend_find"

fuzz-guided: ## the same target with clang's libFuzzer, guided by coverage (FUZZ_SECONDS=300)
	@tools/install.sh clang libfuzzer
	@mkdir -p build/fuzz-guided
	@$(MAKE) -s $(PARALLEL) CC=clang CORE=build/fuzz-guided CHECKS=-DBS_CHECKS WERROR= OPT=-O1 \
	    CFLAGS="-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	        -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	    build/fuzz-guided/guided2 build/fuzz-guided/guided3
	@for dim in 2 3; do \
	    mkdir -p build/fuzz-guided/inputs$$dim && \
	    build/fuzz-guided/guided$$dim -max_total_time=$(FUZZ_SECONDS) -max_len=20000 \
	        -print_final_stats=1 -artifact_prefix=build/fuzz-guided/ \
	        build/fuzz-guided/inputs$$dim spec/fuzz/corpus || exit 1; \
	done

$(CORE)/fuzz%: $(fuzz_sources) $(wildcard spec/fuzz/*.h) $(headers) $(core_objects2) $(core_objects3)
	$(compile) -DDIM=$* -Isrc -o $@ $(fuzz_sources) $(fuzz_flags) $(core_objects$*) $(LIBS)

$(CORE)/guided%: $(fuzz_sources) $(wildcard spec/fuzz/*.h) $(headers) $(core_objects2) $(core_objects3)
	$(compile) -fsanitize=fuzzer -DDIM=$* -Isrc -o $@ \
	    $(filter-out spec/fuzz/driver.c,$(fuzz_sources)) $(core_objects$*) $(LIBS)
