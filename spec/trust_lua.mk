# What makes defects of the binding show (TESTING.md): a host that refuses memory.

formatted += spec/host/host.c

LUA_LIBS := $(patsubst lua5%,-llua5%,$(LUA:luajit=-lluajit-5.1))
HOST := $(BUILD)/host

.PHONY: test-oom oom

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
