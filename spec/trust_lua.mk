# trust_lua.mk: what looks for defects of the binding: a host that refuses memory, a Lua that checks
# itself, stale handles, long runs. Included by the Makefile; see TESTING.md.

LUA_LIBS := $(patsubst lua5%,-llua5%,$(LUA:luajit=-lluajit-5.1))
HOST := $(BUILD)/host

.PHONY: test-oom oom test-handles handles test-checked checked soak

$(HOST): spec/host/host.c $(BUILD)/compile.txt
	@mkdir -p $(@D)
	$(compile_binding) $(filter -shared-libasan,$(MODULE)) -o $@ $< $(LUA_LIBS) $(LIBS)

# The host counts memory itself: leaks need not be looked for.
host = $(environment); ASAN_OPTIONS=detect_leaks=0 $(HOST)

# OOM=all: each case with each back end and each kind of results. OOM=Pool: what matches that.
OOM :=
test-oom: ## memory runs out in every call, at each place (OOM=all: on all back ends)
	@for lua in $(TEST_LUAS); do \
	    tools/install.sh cc $$lua || exit 1; \
	    $(MAKE) -s $(PARALLEL) build oom LUA=$$lua SANITIZE=1 WERROR= || exit 1; \
	done

oom: build $(HOST)
	@echo "== memory runs out under $(LUA)"
	@$(host) spec/oom/run.lua $(OOM)

# HANDLES: how many uses. With BITS=4 there are so few generations that slots are used up all the
# time; with BITS=26 the real ones are used up, too, which takes some minutes.
HANDLES := 100000
BITS := 4
test-handles: ## uses of stale handles (HANDLES=10000000 of them; BITS=26: of real generations)
	@tools/install.sh cc $(LUA)
	@$(MAKE) -s $(PARALLEL) handles LUA=$(LUA) BUILD=build/handles$(BITS)-$(LUA) \
	    CORE=build/handles$(BITS)-core CPPFLAGS=-DBS_GENERATION_BITS=$(BITS) \
	    OPT=$(if $(filter 26,$(BITS)),-O2,-O0)

handles: build
	@echo "== stale handles under $(LUA)"
	@$(environment); $(LUA) spec/handles/run.lua $(HANDLES) $(BITS)

# Lua 5.4 from its source package, with its own assertions and the checks of its API, under
# sanitizers: `lua` and `host` move the stack wherever it might grow, `host_gc` collects all garbage
# wherever it might. What fills the whole stack would take forever there.
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

# What is quick enough, and the same for the collector's states; FORM=all: everything.
FORM := quick
spec_files = $(1:%=spec/%_spec.lua)
checked_specs_quick := $(call spec_files,contacts filters handles iteration results rows module \
  errors world transform emitter lifetime)
checked_specs_all = $(wildcard spec/*_spec.lua)
state_specs_quick := $(call spec_files,contacts filters handles)
state_specs_all = $(call spec_files,contacts filters handles iteration results world transform \
  emitter pool pool_hits queries casts resolve reentrancy)
checked_environment = $(environment); export BROADSIDE_ROUNDS=0.01 LD_PRELOAD='$(ASAN)' \
  UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0

test-checked: ## specs on a Lua that checks itself, and with the collector in all states (FORM=all)
	@tools/install.sh cc lua5.4 busted:lua5.4 dpkg-source
	@spec/checked/fetch.sh $(CHECKED)
	@$(MAKE) -s $(PARALLEL) build $(CHECKED)/lua $(CHECKED)/host $(CHECKED)/host_gc LUA=lua5.4 \
	    SANITIZE=1 WERROR=
	@$(MAKE) checked LUA=lua5.4 SANITIZE=1 WERROR=

checked:
	@echo "== collections at every place"; $(checked_environment); \
	    $(CHECKED)/host_gc spec/checked/collect.lua $(filter all,$(FORM))
	@echo "== specs on a Lua that checks itself"; $(checked_environment); \
	    $(CHECKED)/lua tools/specs.lua --filter-out='overflows the stack' \
	    --filter-out='until the stack ends' $(checked_specs_$(FORM))
	@for state in incremental callback step; do \
	    echo "== specs with the collector in the state '$$state'"; \
	    $(checked_environment); BROADSIDE_COLLECTOR=$$state \
	    $(LUA) tools/specs.lua $(state_specs_$(FORM)) || exit 1; \
	done
	@$(if $(filter all,$(FORM)),echo "== memory runs out on a Lua that checks itself"; \
	    $(checked_environment); $(CHECKED)/host spec/oom/run.lua)

SOAK := 3600
soak: ## frames of games for an hour (SOAK=seconds): memory must not grow, and all of it come back
	@tools/install.sh cc $(LUA)
	@$(MAKE) -s $(PARALLEL) build $(HOST) LUA=$(LUA)
	@echo "== soak under $(LUA)"
	@$(environment); $(HOST) spec/soak/run.lua $(SOAK)
