# What makes defects of the binding show (TESTING.md): a host that refuses memory.

formatted += spec/host/host.c

LUA_LIBS := $(patsubst lua5%,-llua5%,$(LUA:luajit=-lluajit-5.1))
HOST := $(BUILD)/host

.PHONY: test-oom oom test-handles handles

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

# HANDLES: how many uses. Of BITS=4 there are so few generations that slots are used up all the time;
# with BITS=26 the real ones are used up, too, which takes some minutes..
HANDLES := 100000
BITS := 4
test-handles: ## uses of stale handles (HANDLES=10000000 of them; BITS=26: of real generations)
	@tools/install.sh cc $(LUA)
	@$(MAKE) -s $(PARALLEL) handles LUA=$(LUA) BUILD=build/handles$(BITS)-$(LUA) \
	    CORE=build/handles$(BITS)-core CPPFLAGS=-DBS_GENERATION_BITS=$(BITS) OPT=$(if $(filter 26,$(BITS)),-O2,-O0)

handles: build
	@echo "== stale handles under $(LUA)"
	@$(environment); $(LUA) spec/handles/run.lua $(HANDLES) $(BITS)
