# trust.mk: tests that look for defects beyond the specs. The Makefile includes it; see TESTING.md.

.PHONY: fuzz fuzz-random fuzz-long fuzz-guided test-determinism test-determinism-all \
  determinism-windows \
  determinism-core determinism-lua test-threads threads

# --- fuzzing --------------------------------------------------------------------------------------

# Operations for each number of axes, and the seed of random inputs.
FUZZ_OPS := 500000
FUZZ_SEED := 1
FUZZ_SECONDS := 300
FUZZ_CHECK := 1
GUIDED := guided decoders
fuzz_objects := $(addprefix $(CORE)/d%/, \
  $(patsubst spec/%.c,%.o,$(filter-out spec/fuzz/find_once.c,$(wildcard spec/fuzz/*.c)) $(checkers)) \
  $(core:src/%.c=%.o))
fuzz_corpus = $(wildcard spec/fuzz/corpus/*)
fuzz_flags :=
# Reports abort as mismatches do, so that the driver keeps the input.
fuzz_env := ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1

fuzz: #: random calls on every back end against plain loops, under sanitizers (FUZZ_SEED=n)
	@tools/install.sh cc
	@$(MAKE) -s fuzz-random SANITIZE=1 WERROR=

fuzz-random:
	@$(MAKE) -s $(PARALLEL) $(CORE)/fuzz2 $(CORE)/fuzz3
	@$(MAKE) -s $(PARALLEL) fuzz-in-2 fuzz-in-3

fuzz-in-%:
	@$(fuzz_env) $(CORE)/fuzz$* $(fuzz_corpus) ops=$(FUZZ_OPS) seed=$(FUZZ_SEED) \
	    check=$(FUZZ_CHECK) keep=$(CORE)

# The linker puts find_once.c before the function that it replaces.
find_once = spec/fuzz/find_once.c -Wl,--wrap=bs_backend_find_$*d

fuzz-long: ## twenty million random calls, faster: with assertions and some checks, without sanitizers
	@tools/install.sh cc
	@$(MAKE) -s fuzz-random CORE=build/fuzz-core CHECKS= WERROR= FUZZ_OPS=10000000 FUZZ_CHECK=64 \
	    'fuzz_flags=$$(find_once)'

fuzz-guided: #: with clang's libFuzzer, guided by coverage: that target, then decoders (FUZZ_SECONDS=300)
	@tools/install.sh clang libfuzzer
	@$(MAKE) -s $(PARALLEL) CC=clang CORE=build/fuzz-guided CHECKS=-DBS_CHECKS WERROR= OPT=-O1 \
	    CFLAGS="-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	        -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	    $(foreach name,$(GUIDED),$(foreach dim,2 3,build/fuzz-guided/$(name)$(dim)))
	@for name in $(GUIDED); do for dim in 2 3; do \
	    inputs=build/fuzz-guided/inputs-$$name$$dim; mkdir -p $$inputs && \
	    build/fuzz-guided/$$name$$dim -max_total_time=$(FUZZ_SECONDS) -max_len=20000 \
	        -print_final_stats=1 -artifact_prefix=build/fuzz-guided/ $$inputs \
	        $$([ $$name = decoders ] || echo spec/fuzz/corpus) || exit 1; \
	done; done

$(CORE)/fuzz%: $(fuzz_objects)
	$(compile) -DDIM=$* -o $@ $^ $(fuzz_flags) $(LIBS)

$(CORE)/guided%: $(fuzz_objects)
	$(compile) -fsanitize=fuzzer -DDIM=$* -o $@ $(filter-out %/driver.o,$^) $(find_once) $(LIBS)

$(CORE)/decoders%: spec/decoders/decoders.c $(headers) $(checked_objects2) $(checked_objects3)
	$(compile) -fsanitize=fuzzer -DDIM=$* -o $@ spec/decoders/decoders.c $(checked_objects$*) $(LIBS)

# --- mutants --------------------------------------------------------------------------------------

# The tests that lead to FILE: the specs of its folder; and for a folder of the core its tests in C,
# then the fuzzer. ALL=1: what these do not notice meets all other specs, too.
.PHONY: mutants
FILE := src
N := 50
SEED := 1
ALL :=
mutant_folder = $(word 2,$(subst /, ,$(FILE)))
mutant_specs = $(filter spec/$(mutant_folder)/%,$(all_specs))
mutant_core = $(call run_core,20,20,200000)
# A pointer of another type is an error, because what only crashes tells nothing about tests. There
# are no line numbers, so that equal code has equal objects.
mutant_flags = MAKEFLAGS="-s -j$(PROCESSES) -- LUA=$(LUA) WERROR= WARNINGS=" \
  CFLAGS="-g0 -Werror=incompatible-pointer-types -Werror=int-conversion"

mutants: core_test = make $(CORE)/$(1) && $(CORE)/$(1)
mutants: #: plant small changes in FILE= (a source or folder), and list what no test notices (N=50 SEED=1)
	@tools/install.sh cc $(call spec_things,$(LUA))
	@$(call rounds,$(QUICK)); $(mutant_flags) lua5.4 tools/mutants.lua '$(FILE)' $(N) $(SEED) \
	    'make build' $(call run_specs,$(LUA),$(BUILD),$(mutant_specs)) \
	    $(if $(filter $(mutant_folder),$(core_folders)),$(mutant_core)) $(if $(ALL),-- \
	    $(call run_specs,$(LUA),$(BUILD),$(filter-out $(mutant_specs) spec/project/%,$(all_specs))))

# --- determinism ----------------------------------------------------------------------------------

# One hash of sines and cosines, one of the answers to the fuzz target's random inputs, and one of a
# program in Lua. Each line that is printed must be in expected.txt.
HASH_OPS := 50000
RUN :=
must_be_expected = { read -r line && echo "$$line" && \
    { grep -qxF "$$line" spec/determinism/expected.txt || { echo "another hash" >&2; exit 1; }; }; }
determinism := build/determinism
STATIC := $(BUILD)/static

test-determinism: #: one hash of all answers, in C and in Lua 5.4 and LuaJIT
	@tools/install.sh cc $(TEST_LUAS)
	@$(MAKE) -s determinism-core WERROR=
	@for lua in $(TEST_LUAS); do $(MAKE) -s determinism-lua LUA=$$lua WERROR= || exit 1; done

determinism-core:
	@$(MAKE) -s $(PARALLEL) $(CORE)/fuzz2 $(CORE)/fuzz3 $(CORE)/angles_test2
	@$(RUN) $(CORE)/angles_test2$(EXE) hash | tr -d '\r' | $(must_be_expected)
	@for dim in 2 3; do \
	    $(RUN) $(CORE)/fuzz$$dim$(EXE) hash=1 ops=$(HASH_OPS) | tr -d '\r' | $(must_be_expected) || \
	        exit 1; \
	done

determinism-lua:
	@$(MAKE) -s $(PARALLEL) build
	@$(environment); export LUA_PATH="./?.lua;$$LUA_PATH"; for mode in "" straight rollback; do \
	    $(LUA) spec/determinism/work.lua 60 $$mode | $(must_be_expected) || exit 1; \
	done

# Runs with several compilers and optimisation levels, with the code for processors without AVX2,
# with 32 bits (emulated, as not every kernel runs such programs), on ARM64, with other C libraries
# (musl, and in Wine that of Windows), under all Luas, and with WebAssembly in node.
test-determinism-all: #: the same hash from all compilers, processors, C libraries and Luas
	@tools/install.sh gcc clang gcc-m32 gcc-arm64 qemu-aarch64 musl-gcc mingw64 wine64 \
	    lua5.1 lua5.2 lua5.3 lua5.4 luajit
	@set -e; for cc in gcc clang; do for opt in O0 O2 O3; do for flag in AVX2 BASELINE; do \
	    echo "== $$cc -$$opt $$flag"; \
	    $(MAKE) -s determinism-core CC=$$cc OPT=-$$opt CPPFLAGS=-DBS_$$flag WERROR= \
	        CORE=$(determinism)/$$cc-$$opt-$$flag; \
	done; done; done
	@echo "== no vector code"
	@$(MAKE) -s determinism-core CPPFLAGS=-DBS_PLAIN CORE=$(determinism)/plain WERROR=
	@echo "== gcc -m32"
	@$(MAKE) -s determinism-core CC="gcc -m32 -msse2 -mfpmath=sse" CORE=$(determinism)/m32 \
	    RUN=qemu-i386 WERROR=
	@echo "== ARM64"
	@$(MAKE) -s determinism-core CC="aarch64-linux-gnu-gcc -static" CORE=$(determinism)/arm64 \
	    RUN=qemu-aarch64 WERROR=
	@$(MAKE) -s determinism-musl
	@$(MAKE) -s determinism-windows
	@set -e; for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do \
	    echo "== $$lua"; $(MAKE) -s determinism-lua LUA=$$lua WERROR=; \
	done
	@echo "== Lua 5.4, modules by clang -O0 without AVX2"
	@$(MAKE) -s determinism-lua LUA=lua5.4 CC=clang OPT=-O0 CPPFLAGS=-DBS_BASELINE WERROR= \
	    BUILD=$(determinism)/lua5.4 CORE=$(determinism)/clang-O0-BASELINE
	@$(MAKE) -s determinism-web

# Also for Lua, in one program of Lua and Broadside that has nothing of glibc.
determinism-musl:
	@tools/install.sh musl-gcc dpkg-source
	@echo "== musl"
	@$(MAKE) -s determinism-core CC="musl-gcc -static" CORE=$(determinism)/musl WERROR=
	@spec/dist/luas.sh musl $(determinism)/lua-musl
	@$(MAKE) -s $(PARALLEL) determinism-static LUA=lua5.4 CC="musl-gcc -static" WERROR= \
	    CORE=$(determinism)/musl BUILD=$(determinism)/musl-lua5.4 \
	    LUA_CFLAGS=-I$(determinism)/lua-musl/source/src LUA_LIBS=$(determinism)/lua-musl/liblua.a

determinism-static: $(STATIC)
	@$(environment); export LUA_PATH="./?.lua;$$LUA_PATH"; for mode in "" straight rollback; do \
	    $(STATIC) spec/determinism/work.lua 60 $$mode | $(must_be_expected) || exit 1; \
	done

determinism-windows:
	@set -e; for flag in AVX2 BASELINE; do echo "== Windows, in Wine, $$flag"; \
	    $(MAKE) -s determinism-core TARGET=mingw64 EXE=.exe RUN='$(in_wine)' WERROR= \
	        CPPFLAGS=-DBS_$$flag CORE=$(determinism)/windows-$$flag; \
	done

# --- one program with both ------------------------------------------------------------------------

# As phones and WebAssembly need it: no library is loaded; everything is linked into one program
# with Lua.
.PHONY: test-static static

test-static: #: link 2D and 3D into one program with Lua, play it, and check the names
	@tools/install.sh cc lua5.4
	@$(MAKE) -s $(PARALLEL) static LUA=lua5.4

static: $(STATIC)
	@tools/names.sh $(BUILD)/names $(core_objects2) $(binding:src/lua/%.c=$(BUILD)/obj-d2/%.o)
	@for folder in include/broadside src/base src/lua; do \
	    cmp $$folder/names.h $(BUILD)/names/$$folder/names.h || { echo "make names" >&2; exit 1; }; done
	@$(environment); LUA_CPATH= $(STATIC) spec/static/play.lua
	@tools/check_archive.sh nm $(BUILD)/libbroadside.a

$(STATIC): spec/static/host.c $(BUILD)/libbroadside.a
	$(compile_binding) -o $@ $^ -Wl,-Bstatic $(LUA_LIBS) -Wl,-Bdynamic $(LIBS) -ldl

# --- Lua 5.5 --------------------------------------------------------------------------------------

# Debian does not have it yet: LUA55 is the folder of its sources, built, or of an installation.
.PHONY: test-lua55 lua55
LUA55 :=
lua55 = $(firstword $(wildcard $(LUA55)/bin/lua5.5 $(LUA55)/bin/lua $(LUA55)/src/lua $(LUA55)/lua))
lua55_headers = $(dir $(firstword $(wildcard $(LUA55)/include/lua.h $(LUA55)/src/lua.h $(LUA55)/lua.h)))

test-lua55: #: the same answers from Lua 5.5 (LUA55=the folder of its headers and program)
	@tools/install.sh cc
	@[ -n '$(lua55)' ] || { echo "say where Lua 5.5 is: LUA55=folder" >&2; exit 1; }
	@$(MAKE) -s $(PARALLEL) lua55 LUA=lua5.5 LUA_CFLAGS='-I$(lua55_headers)' WERROR= \
	    LUA55='$(LUA55)'

lua55: build
	@$(environment); $(lua55) spec/dist/play.lua broadside; \
	export LUA_PATH="./?.lua;$$LUA_PATH"; for mode in "" straight rollback; do \
	    $(lua55) spec/determinism/work.lua 60 $$mode | $(must_be_expected) || exit 1; \
	done

# --- skynet ---------------------------------------------------------------------------------------

# SKYNET is the folder of its sources, built. Its own Lua has the headers.
.PHONY: test-skynet measure-skynet skynet-build
SKYNET :=

test-skynet: skynet-build #: the example area in skynet: services, nodes, one world (SKYNET=its folder, built)
	@spec/area/skynet.sh '$(SKYNET)'

measure-skynet: skynet-build #: ticks a second and memory of areas in skynet (SKYNET=its folder, built)
	@SKYNET='$(abspath $(SKYNET))' BROADSIDE='$(CURDIR)' AREA_START=measure AREA_SIDES= AREA_PORT= \
	    AREA_LOG=build/skynet/measure.log '$(SKYNET)/skynet' examples/area/skynet/config

skynet-build:
	@[ -x '$(SKYNET)/skynet' ] || { echo "say where skynet is, built: SKYNET=folder" >&2; exit 1; }
	@tools/install.sh cc
	@$(MAKE) -s $(PARALLEL) build LUA=skynet LUA_CFLAGS='-I$(abspath $(SKYNET))/3rd/lua' WERROR=

# --- threads --------------------------------------------------------------------------------------

THREAD_SECONDS := 3
tsan := build/tsan
# The sanitizer expects addresses of a process to be random in no more than some bits.
run_tsan := $(shell setarch -R true 2>/dev/null && echo setarch -R) env TSAN_OPTIONS=exitcode=66

test-threads: #: eight threads with Lua states of their own, under TSan (THREAD_SECONDS=3)
	@tools/install.sh cc lua5.4
	@$(MAKE) -s threads LUA=lua5.4 BUILD=$(tsan) CORE=$(tsan)/core CHECKS= WERROR= \
	    OPT="-O1 -fsanitize=thread"

threads:
	@$(MAKE) -s $(PARALLEL) build $(tsan)/threads
	@$(environment); LUA_PATH="./?.lua;$$LUA_PATH" \
	    $(run_tsan) $(tsan)/threads $(THREAD_SECONDS) spec/determinism/work.lua 1

$(tsan)/threads: spec/threads/host.c
	@mkdir -p $(@D)
	$(compile_binding) -o $@ $< -pthread -l$(LUA) $(LIBS)

# --- maps of Tiled --------------------------------------------------------------------------------

# The editor exports the maps and draws them. Debian's package has the examples that Tiled ships.
# busted comes with dkjson, which decodes maps that are exported as JSON.
.PHONY: test-tiled
TILED_MAPS := 40
TILED_EXAMPLES := /usr/share/doc/tiled/examples

test-tiled: #: compare maps that Tiled exports with what it draws, and read its own examples
	@tools/install.sh cc $(LUA) busted:$(LUA) tiled
	@$(MAKE) -s $(PARALLEL) build
	@$(environment); export LUA_PATH="./?.lua;$$LUA_PATH"; \
	    spec/tiled/run.sh $(LUA) build/tiled $(TILED_MAPS) '$(TILED_EXAMPLES)'

# --- coverage -------------------------------------------------------------------------------------

# Coverage of both modules by specs, test-oom, test-handles and the fuzzer. Both variants of the
# back ends count as one source.
.PHONY: coverage coverage-run
COVERAGE := build/coverage
lcov := lcov --quiet --rc lcov_branch_coverage=1
coverage_build := WERROR= OPT=-O0 CFLAGS=--coverage

coverage: #: lines and branches that specs, refused memory, stale handles and the fuzzer reach
	@tools/install.sh cc lua5.4 busted:lua5.4 lua-socket:lua5.4 lcov
	@rm -rf $(COVERAGE)
	@$(MAKE) -s coverage-run LUA=lua5.4 BUILD=$(COVERAGE)/lua5.4 CORE=$(COVERAGE)/core \
	    $(coverage_build)
	@$(MAKE) -s handles LUA=lua5.4 BUILD=$(COVERAGE)/handles CORE=$(COVERAGE)/handles-core \
	    CPPFLAGS=-DBS_GENERATION_BITS=4 $(coverage_build)
	@$(lcov) --capture --directory $(COVERAGE) --output-file $(COVERAGE)/all.info
	@$(lcov) --extract $(COVERAGE)/all.info '$(CURDIR)/src/*' --output-file $(COVERAGE)/src.info
	@genhtml --quiet --branch-coverage --output-directory $(COVERAGE)/html $(COVERAGE)/src.info
	@lcov --rc lcov_branch_coverage=1 --list $(COVERAGE)/src.info

coverage-run:
	@$(MAKE) -s $(PARALLEL) build $(CORE)/fuzz2 $(CORE)/fuzz3
	@BROADSIDE_ROUNDS=1 $(MAKE) specs
	@$(MAKE) oom
	@$(MAKE) test-core ROUNDS=50
	@for dim in 2 3; do $(CORE)/fuzz$$dim $(fuzz_corpus) ops=$(FUZZ_OPS) || exit 1; done

# --- static analysis ------------------------------------------------------------------------------

# Each finding is an error. These are switched off:
# - backends_avx2.c, as it only includes what backends_baseline.c does, too;
# - for cppcheck, functions that raise Lua errors, as it does not know that they do not return, and
#   what it misreads: hexadecimal floats, and lists in braces that are arguments of macros;
# - for GCC's analyzer, use of uninitialized values, as it takes a pointer that memcpy has written
#   for one (heap.c); -Wuninitialized and clang's analyzer look for the same.
#
# Clang's analyzer follows a third of its paths. With all of them it finds the same, and takes three
# times as long (ANALYZER_NODES=225000).
.PHONY: analyze analyze-cppcheck analyze-gcc analyze-tidy
analyzed := $(filter-out src/broad/backends_avx2.c,$(core))
ANALYZED := build/analyzed
ANALYZER_NODES := 75000
tidy_effort = -Xclang -analyzer-config -Xclang max-nodes=$(ANALYZER_NODES)

analyze: #: clang-tidy, cppcheck and GCC's analyzer
	@$(MAKE) -s -k $(PARALLEL) --output-sync analyze-cppcheck analyze-gcc analyze-tidy

analyze-gcc:
	@tools/install.sh gcc
	@$(MAKE) -s -k $(analyzed:src/%.c=$(ANALYZED)/%.gcc)

analyze-tidy:
	@tools/install.sh clang-tidy lua5.4
	@$(MAKE) -s -k $(analyzed:src/%.c=$(ANALYZED)/%.tidy) $(binding:src/%.c=$(ANALYZED)/%.tidy)

analyze-cppcheck:
	@tools/install.sh cppcheck
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	    --suppress=nullPointerRedundantCheck --suppress=ctunullpointer \
	    --suppress=incorrectLogicOperator --suppress=returnDanglingLifetime:src/broad/backends.c \
    --suppress=syntaxError:src/world/conduct.c --suppress=syntaxError:src/lua/property_methods.c \
	    -DDIM=2 -Iinclude -Isrc $(core) $(binding)

# A clean file is not analyzed again before it or a header changes.
$(ANALYZED)/%.gcc: src/%.c $(headers)
	@mkdir -p $(@D)
	gcc -std=c11 -O0 -DDIM=2 -Iinclude -Isrc -fanalyzer -Wno-analyzer-use-of-uninitialized-value -Werror \
	    -c -o /dev/null $<
	@touch $@

$(ANALYZED)/%.tidy: src/%.c $(headers) .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- -std=c11 -DDIM=2 -Iinclude -Isrc $(LUA_CFLAGS:-I%=-isystem %) $(tidy_effort) 2>/dev/null
	@touch $@

# --- the binding ----------------------------------------------------------------------------------

# Tests with a host that refuses memory, with stale handles, with a Lua that checks itself, and long
# runs.
LUA_LIBS := $(patsubst lua5%,-llua5%,$(LUA:luajit=-lluajit-5.1))
HOST := $(BUILD)/host

.PHONY: test-oom oom test-handles handles test-checked checked test-checked51 checked51 test-stack soak

$(HOST): spec/host/host.c $(BUILD)/compile.txt
	@mkdir -p $(@D)
	$(compile_binding) $(filter -shared-libasan,$(MODULE)) -o $@ $< $(LUA_LIBS) $(LIBS)

# The host counts memory itself, so leaks need not be looked for.
host = $(environment); ASAN_OPTIONS=detect_leaks=0 $(HOST)

# OOM=all: each case with each back end and each kind of results. OOM=Pool: cases that match this.
OOM :=
test-oom: #: run out of memory in every call, at each place (OOM=all: on all back ends)
	@for lua in $(TEST_LUAS); do \
	    tools/install.sh cc $$lua || exit 1; \
	    $(MAKE) -s $(PARALLEL) build oom LUA=$$lua SANITIZE=1 WERROR= || exit 1; \
	done

oom: build $(HOST)
	@echo "== memory runs out under $(LUA)"
	@$(host) spec/oom/run.lua $(OOM)

# HANDLES: how many uses. With BITS=4 there are so few generations that slots are always running out
# of them. With BITS=26 real generations run out, too, which takes some minutes.
HANDLES := 100000
BITS := 4
test-handles: #: uses of stale handles (HANDLES=10000000 of them; BITS=26: of real generations)
	@tools/install.sh cc $(LUA)
	@$(MAKE) -s $(PARALLEL) handles LUA=$(LUA) BUILD=build/handles$(BITS)-$(LUA) \
	    CORE=build/handles$(BITS)-core CPPFLAGS=-DBS_GENERATION_BITS=$(BITS) \
	    OPT=$(if $(filter 26,$(BITS)),-O2,-O0)

handles: build
	@echo "== stale handles under $(LUA)"
	@$(environment); $(LUA) spec/handles/run.lua $(HANDLES) $(BITS)

# Lua 5.4 from its source package, with its own assertions and the checks of its API, under
# sanitizers. `lua` and `host` move the stack wherever it might grow; `host_gc` collects all garbage
# wherever Lua might. Specs that fill the whole stack would take forever there.
CHECKED := build/checked
checked_compile = $(CC) -std=gnu99 -O1 -g -w -DLUA_USE_LINUX -DLUA_COMPAT_5_3 -DLUAI_ASSERT \
  -DLUA_USE_APICHECK -fno-omit-frame-pointer -fsanitize=address,undefined \
  -fno-sanitize-recover=all $(filter -shared-libasan,$(MODULE)) -I$(CHECKED)/source/src -o $@ \
  $(filter %.c,$^) $(filter-out %/lua.c %/luac.c,$(wildcard $(CHECKED)/source/src/*.c)) \
  -Wl,-E -ldl -lm
$(CHECKED)/lua: $(CHECKED)/source/src/lua.c
	$(checked_compile) -DHARDSTACKTESTS
$(CHECKED)/host: spec/host/host.c
	$(checked_compile) -DHARDSTACKTESTS
$(CHECKED)/host_gc: spec/host/host.c
	$(checked_compile) -DHARDMEMTESTS

# The specs that are quick enough there, and those for the collector's states. FORM=all runs all
# specs.
FORM := quick
STATES := incremental callback step
state_specs_quick := $(call spec_files,world/contacts lua/filters lua/handles)
checked_specs_quick := $(state_specs_quick) $(call spec_files,lua/iteration lua/results lua/rows \
  base/geometry lua/errors world/world world/transform pool/emitters lua/lifetime)
checked_specs_all = $(all_specs)
state_specs_all = $(state_specs_quick) $(call spec_files,lua/iteration lua/results world/world \
  world/transform pool/emitters pool/pool pool/hits world/query world/cast motion/resolve \
  lua/reentrancy)
checked_environment = $(environment); export BROADSIDE_ROUNDS=0.01 LD_PRELOAD='$(ASAN)' \
  UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0

test-checked: #: specs on a Lua that checks itself, with the collector in all STATES (FORM=all)
	@tools/install.sh cc lua5.4 busted:lua5.4 dpkg-source
	@tools/fetch_source.sh lua5.4 $(CHECKED)
	@$(MAKE) -s $(PARALLEL) build $(CHECKED)/lua $(CHECKED)/host $(CHECKED)/host_gc LUA=lua5.4 \
	    SANITIZE=1 WERROR=
	@$(MAKE) checked LUA=lua5.4 SANITIZE=1 WERROR=

checked:
	@echo "== collections at every place"; $(checked_environment); \
	    $(CHECKED)/host_gc spec/checked/collect.lua $(filter all,$(FORM))
	@echo "== specs on a Lua that checks itself"; $(checked_environment); \
	    $(CHECKED)/lua tools/specs.lua --filter-out='overflows the stack' \
	    --filter-out='until the stack ends' $(checked_specs_$(FORM))
	@for state in $(STATES); do \
	    echo "== specs with the collector in the state '$$state'"; \
	    $(checked_environment); BROADSIDE_COLLECTOR=$$state \
	    $(LUA) tools/specs.lua $(state_specs_$(FORM)) || exit 1; \
	done
	@$(if $(filter all,$(FORM)),echo "== memory runs out on a Lua that checks itself"; \
	    $(checked_environment); $(CHECKED)/host spec/oom/run.lua)

# Lua 5.1 has assertions about its API alone: who pushes more values than there is room for is told.
CHECKED51 := build/checked51
$(CHECKED51)/lua: $(CHECKED51)/source/src/lua.c
	$(CC) -std=gnu99 -O1 -g -w -DLUA_USE_POSIX -DLUA_USE_DLOPEN -DLUA_USE_APICHECK -o $@ \
	    $(filter-out %/luac.c,$(wildcard $(CHECKED51)/source/src/*.c)) -Wl,-E -ldl -lm
checked51_specs := $(checked_specs_quick) $(call spec_files,world/rollback pool/snapshot lua/zeros)

test-checked51: #: specs on a Lua 5.1 that checks how its API is used (SPEC=)
	@tools/install.sh cc $(call spec_things,lua5.1) dpkg-source
	@tools/fetch_source.sh lua5.1 $(CHECKED51)
	@$(MAKE) -s $(PARALLEL) build $(CHECKED51)/lua LUA=lua5.1
	@$(MAKE) checked51 LUA=lua5.1

checked51:
	@echo "== specs on a Lua 5.1 that checks its API"; $(environment); \
	    $(CHECKED51)/lua tools/specs.lua $(or $(SPEC),$(checked51_specs))

# As threads have it, and programs on some systems. LuaJIT itself does not limit how deep functions
# in C call each other.
STACK := 1024
stack_specs := $(call spec_files,lua/errors lua/filters lua/reentrancy lua/handles world/contacts \
  world/rollback motion/move pool/hits broadside/maps/map broadside/tiled broadside/walker broadside/play)

test-stack: #: specs under LuaJIT with a C stack of 1 MB (STACK=kilobytes, SPEC=)
	@tools/install.sh cc $(call spec_things,luajit)
	@$(MAKE) -s $(PARALLEL) build LUA=luajit
	@ulimit -s $(STACK); $(MAKE) specs LUA=luajit SPEC='$(or $(SPEC),$(stack_specs))'

SOAK := 3600
soak: #: frames of games for an hour (SOAK=seconds): memory must not grow, and all of it must be freed
	@tools/install.sh cc $(LUA)
	@$(MAKE) -s $(PARALLEL) build $(HOST) LUA=$(LUA)
	@echo "== soak under $(LUA)"
	@$(environment); $(HOST) spec/soak/run.lua $(SOAK)
