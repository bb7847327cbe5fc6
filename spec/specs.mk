# specs.mk: the specs, and the tests of the core in C: which run where, and in what order. The
# Makefile includes it; see TESTING.md.

.PHONY: test test-long test-binding test-one specs test-core core-tests test-area check test-asan \
  specs-asan

# Specs: files and folders of them, and options of busted; all specs if it is empty.
SPEC :=
# The versions of Lua under which `make test` runs specs: all specs under the first one, and those
# of the binding under the others.
TEST_LUAS := $(if $(filter command,$(firstword $(origin LUA))),$(LUA),lua5.4 luajit)

# The share of the random worlds and frames that a run of all specs tests. A single spec tests all
# of them.
QUICK := 0.2
rounds = export BROADSIDE_ROUNDS="$${BROADSIDE_ROUNDS:-$(1)}"

spec_files = $(1:%=spec/%_spec.lua)
all_specs := $(sort $(wildcard spec/*/*_spec.lua spec/*/*/*_spec.lua))
# The specs of the core in random worlds and in levels, of how its work grows, of pictures, and of
# pages, sources and packages: what they look at is the same under every Lua.
core_specs := $(filter %_oracle_spec.lua %growth_spec.lua,$(all_specs)) \
  $(call spec_files,broad/cases broad/large motion/levels motion/rooms motion/slopes \
    step/heaps step/same step/restore examples/views) \
  $(filter-out %docs_spec.lua %blocks_spec.lua,$(filter spec/project/%,$(all_specs)))
# The others; the slowest come first.
slow_specs := $(call spec_files,examples/examples lua/garbage lua/lifetime lua/reentrancy world/rollback \
  pool/snapshot motion/move lua/errors)
other_specs := $(filter-out $(core_specs) $(slow_specs),$(all_specs))
binding_specs := $(slow_specs) $(other_specs)
# Sanitizers see nothing new in pages, packages and pictures.
run_all_specs = $(filter-out $(if $(SANITIZE),spec/project/% spec/examples/views_spec.lua), \
  $(core_specs) $(binding_specs))
# The specs that test more when BROADSIDE_ROUNDS is larger, or belong to the core.
long_specs = $(sort $(core_specs) $(shell grep -lE \
    'compat\.rounds|compat\.share|random\.seeds|spec\.support\.scene' $(binding_specs)))

# --- processes ------------------------------------------------------------------------------------

# $(call run_specs,LUA,BUILD,SPECS) is a command for each of the specs. $(call run_tests,COMMANDS)
# runs them.
run_specs = $(foreach spec,$(3),'tools/spec.sh $(1) $(2) $(spec)')
run_tests = printf '%s\n' $(1) | tools/run_tests.sh $(PROCESSES)

# Runs the specs that SPEC names, with all rounds. A single spec, or one with options of busted,
# prints more.
chosen = $(foreach spec,$(SPEC),$(or $(sort $(wildcard $(spec)/*_spec.lua $(spec)/*/*_spec.lua)),$(spec)))
run_chosen = $(if $(or $(filter 1,$(words $(chosen))),$(filter -%,$(chosen))), \
  tools/spec.sh $(LUA) $(BUILD) $(chosen),$(call run_tests,$(call run_specs,$(LUA),$(BUILD),$(chosen))))

# $(call run_core,ROUNDS,WORLDS,OPERATIONS): each back end in C against plain loops, with that many
# rounds of random calls; casts in so many worlds; broken structures, which the checkers must find;
# how often structures are made anew; memory that is limited; the inputs that the fuzzer once found,
# and so many random operations on whole worlds and pools, for some of which memory is refused.
core_tests := $(foreach test,angles simd simd_avx2 narrow packing checkers backend casts due memory \
  snapshot,$(CORE)/$(test)_test2 $(CORE)/$(test)_test3)
core_test = $(CORE)/$(1)
run_core = $(foreach dim,3 2, \
  '$(call core_test,backend_test$(dim)) $(1)' '$(call core_test,casts_test$(dim)) $(2)' \
  '$(call core_test,narrow_test$(dim)) $(1)' '$(call core_test,angles_test$(dim)) $(1)' \
  '$(call core_test,fuzz$(dim)) ops=$(3) check=64 keep=build' \
  '$(call core_test,fuzz$(dim)) spec/fuzz/corpus/*' \
  $(foreach test,due memory snapshot checkers packing simd simd_avx2,\
    '$(call core_test,$(test)_test$(dim))'))

build_all = for lua in $(TEST_LUAS); do $(MAKE) -s $(PARALLEL) build LUA=$$lua || exit 1; done
# What specs need to run under a Lua: busted, and LuaSocket, as some specs send packets.
spec_things = $(foreach lua,$(1),$(lua) busted:$(lua) lua-socket:$(lua))

# --- targets --------------------------------------------------------------------------------------

ROUNDS := 50
WORLDS := 50
OPERATIONS := 100000
first_lua = $(firstword $(TEST_LUAS))

test: ## install what is missing; specs under Lua 5.4 and LuaJIT, the core's tests (SPEC=file or folder)
	@tools/install.sh cc $(call spec_things,$(TEST_LUAS))
	@$(build_all)
	@$(if $(SPEC),$(test_spec),$(test_all))

test_spec = for lua in $(TEST_LUAS); do $(MAKE) specs LUA=$$lua || exit 1; done
test_all = $(MAKE) -s $(PARALLEL) core-tests && $(call rounds,$(QUICK)) && \
  echo "== specs under $(TEST_LUAS), the core in C: a minute or two" && \
  $(call run_tests,$(call run_core,$(ROUNDS),$(WORLDS),$(OPERATIONS)) \
    $(call run_specs,$(first_lua),build/$(first_lua),$(core_specs)) \
    $(foreach specs,slow_specs other_specs, \
      $(foreach lua,$(TEST_LUAS),$(call run_specs,$(lua),build/$(lua),$($(specs))))))

test-long: ## what `make test` leaves out: all random worlds and frames, under each Lua; LÖVE
	@tools/install.sh cc $(call spec_things,$(TEST_LUAS)) love offscreen zip
	@$(build_all)
	@$(MAKE) -s $(PARALLEL) core-tests
	@echo "== all rounds under $(TEST_LUAS), the core in C: some minutes"
	@$(call rounds,1); $(call run_tests,$(call run_core,150,150,300000) \
	    $(foreach lua,$(TEST_LUAS),$(call run_specs,$(lua),build/$(lua),$(long_specs))))
	@$(MAKE) test-love

test-one: #: the specs under LUA alone (SPEC=file or folder: these)
	@tools/install.sh cc $(call spec_things,$(LUA))
	@$(MAKE) -s $(PARALLEL) build
	@$(MAKE) specs

test-binding: #: those of the binding under LUA alone
	@tools/install.sh cc $(call spec_things,$(LUA))
	@$(MAKE) -s $(PARALLEL) build
	@$(call rounds,$(QUICK)); $(call run_tests,$(call run_specs,$(LUA),$(BUILD),$(binding_specs)))

specs:
	@echo "== specs under $(LUA)"
	@$(if $(SPEC),$(run_chosen),$(call rounds,$(QUICK)); \
	    $(call run_tests,$(call run_specs,$(LUA),$(BUILD),$(run_all_specs))))

test-core: #: the core in C, without Lua (ROUNDS= WORLDS= OPERATIONS=)
	@tools/install.sh cc
	@$(MAKE) -s $(PARALLEL) core-tests
	@echo "== the core in C"
	@$(call run_tests,$(call run_core,$(ROUNDS),$(WORLDS),$(OPERATIONS)))

core-tests: $(core_tests) $(CORE)/fuzz2 $(CORE)/fuzz3

$(CORE)/%_test2: $(CORE)/d2/core/%_test.o $(checked_objects2)
	$(compile) -o $@ $^ $(LIBS)
$(CORE)/%_test3: $(CORE)/d3/core/%_test.o $(checked_objects3)
	$(compile) -o $@ $^ $(LIBS)
.SECONDARY: # Keeps the objects of tests.

SECONDS := 60
test-area: #: two processes of the example area are killed for SECONDS (60), and must be one world
	@tools/install.sh cc $(call spec_things,$(LUA))
	@$(MAKE) -s $(PARALLEL) build
	@$(environment); export LUA_PATH="./?.lua;$$LUA_PATH"; $(LUA) spec/area/kills.lua $(SECONDS)

# If git knows of no change, all specs and the core's tests run.
changed = git status --porcelain --no-renames -uall 2>/dev/null | tools/changed_specs.sh | tr '\n' ' '
check_changed = $(call rounds,$(QUICK)); changed="$$($(changed))"; \
  case "$$changed" in "" | spec/core*) $(MAKE) -s test-core || exit 1 ;; esac; \
  $(MAKE) specs SPEC="$${changed\#spec/core }"
check: ## the loop of a change: build, tests of what has changed (or SPEC=), linters that take seconds
	@tools/install.sh cc $(call spec_things,$(LUA)) luacheck clang-format
	@$(MAKE) -s $(PARALLEL) build
	@$(if $(SPEC),$(MAKE) specs,$(check_changed))
	@$(MAKE) -s lint-lua lint-format

test-asan: #: the specs under sanitizers, with the core's own checks
	@tools/install.sh cc $(call spec_things,$(LUA))
	@$(MAKE) -s test-core SANITIZE=1 WERROR= ROUNDS=50 WORLDS=6 OPERATIONS=20000
	@$(MAKE) -s $(PARALLEL) build SANITIZE=1 WERROR=
	@$(MAKE) specs-asan SANITIZE=1

# At exit a process that traces this one looks for leaks. If tracing is forbidden (as in some
# containers), even an empty script would fail. Then, and only then, leaks are not looked for.
specs-asan:
	@export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 \
	    UBSAN_OPTIONS=print_stacktrace=1; \
	if ! LD_PRELOAD='$(ASAN)' $(LUA) -e '' >/dev/null 2>&1; then \
	    echo "leaks cannot be looked for on this machine" >&2; \
	    ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0; \
	fi; \
	export PRELOAD='$(ASAN)'; echo "with sanitizers ($$ASAN_OPTIONS)"; $(MAKE) specs
