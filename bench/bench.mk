# bench.mk: the benchmarks. Included by the Makefile; see bench/README.md.

BENCH := build/bench
PEERS :=

# Arguments for the program in C (if they are given, only that runs), and for the one in Lua.
ARGS :=
LUA_ARGS :=

# Files of libraries in pure Lua, to be measured side by side.
BUMP :=
NIJI :=
SHASH :=
HC :=
SLICK :=

.PHONY: bench bench-quick bench-3d bench-check bench-count bench-costs bench-games bench-bodies \
  bench-windows bench-lua bench-one bench-build

bench: ## all benchmarks, beside other libraries, which it installs (ARGS="pairs only=S2 ...")
	@tools/install.sh cc
	@bench/peers.sh install >/dev/null
	@$(MAKE) -s $(PARALLEL) bench-build WERROR= PEERS="$$(bench/peers.sh | xargs)"
	@bench/peers.sh missing
	@$(BENCH)/bench $(ARGS)
	@$(if $(ARGS),,$(BENCH)/3d/bench)
	@$(if $(ARGS),,$(BENCH)/pools)
	@$(if $(ARGS),,$(MAKE) bench-lua)

bench-quick: #: in 2D and Lua, in under two minutes, with the libraries that are installed
	@tools/install.sh cc
	@$(MAKE) -s $(PARALLEL) $(BENCH)/bench WERROR= PEERS="$$(bench/peers.sh | xargs)"
	@bench/peers.sh missing
	@$(BENCH)/bench quick $(ARGS)
	@$(if $(ARGS),,$(MAKE) bench-lua LUA_ARGS="quick $(LUA_ARGS)")

bench-3d: #: only boxes in 3D, beside Bullet if it is installed (ARGS="quick pairs ...")
	@tools/install.sh cc
	@$(MAKE) -s $(PARALLEL) $(BENCH)/3d/bench WERROR= PEERS="$$(bench/peers.sh | xargs)"
	@bench/peers.sh missing
	@$(BENCH)/3d/bench $(ARGS)

# If LÖVE is installed, this also runs there, with the library that was built for LuaJIT.
bench-lua: export BUMP := $(BUMP)
bench-lua: export NIJI := $(NIJI)
bench-lua: export SHASH := $(SHASH)
bench-lua: export HC := $(HC)
bench-lua: export SLICK := $(SLICK)
bench-lua: #: through Lua 5.4, LuaJIT and LÖVE (BUMP= NIJI= SHASH=files LUA_ARGS="only=S2 ...")
	@tools/install.sh cc $(TEST_LUAS)
	@for lua in $(TEST_LUAS); do \
	    $(MAKE) -s build LUA=$$lua WERROR= && $(MAKE) -s bench-one LUA=$$lua || exit 1; \
	done

bench-one:
	@$(environment); $(LUA) bench/lua/main.lua $(LUA_ARGS)
	@$(environment); $(if $(LUA_ARGS),:,$(LUA) bench/lua/pools.lua)
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/movement.lua $(LUA_ARGS))
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/bump.lua $(LUA_ARGS))
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/snapshots.lua $(LUA_ARGS))
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/shapes.lua $(LUA_ARGS))
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/maps.lua $(LUA_ARGS))
	@$(environment); $(if $(filter-out quick,$(LUA_ARGS)),:,$(LUA) bench/lua/area.lua $(LUA_ARGS))
	@if [ $(LUA) = luajit ] && command -v love >/dev/null; then \
	    $(environment); love bench/lua/love $(LUA_ARGS); \
	fi

bench-costs: #: nanoseconds per box and per pair, for each way of calling, in Lua 5.4, LuaJIT and LÖVE
	@tools/install.sh cc luajit lua5.4 love
	@for lua in lua5.4 luajit; do $(MAKE) -s $(PARALLEL) build LUA=$$lua WERROR= || exit 1; done
	@mkdir -p build/costs
	@eval "$$(tools/env.sh build/lua5.4 lua5.4)"; lua5.4 bench/lua/costs.lua > 'build/costs/Lua 5.4'
	@eval "$$(tools/env.sh build/luajit luajit)"; luajit bench/lua/costs.lua > build/costs/LuaJIT; \
	    SDL_VIDEODRIVER=dummy love bench/lua/love file=costs.lua > build/costs/LÖVE
	@lua5.4 bench/lua/costs.lua 'build/costs/Lua 5.4' build/costs/LuaJIT build/costs/LÖVE

# LÖVE starts LuaJIT with these settings; some versions have more room for each area of code.
LOVE_JIT := -Omaxtrace=2000 -Omaxrecord=8000 -Omaxmcode=16384 -Osizemcode
bench-games: export BUMP := $(BUMP)
bench-games: #: microseconds of a step of games, and of walks, in Lua 5.4 and LuaJIT (BUMP=file)
	@tools/install.sh cc luajit lua5.4
	@for lua in lua5.4 luajit; do $(MAKE) -s $(PARALLEL) build LUA=$$lua WERROR= || exit 1; done
	@mkdir -p build/games && rm -f build/games/*
	@for n in 1 2 3; do \
	    eval "$$(tools/env.sh build/lua5.4 lua5.4)"; lua5.4 bench/lua/games.lua >> 'build/games/Lua 5.4'; \
	    eval "$$(tools/env.sh build/luajit luajit)"; luajit bench/lua/games.lua >> build/games/LuaJIT; \
	    luajit $(LOVE_JIT)=128 bench/lua/games.lua >> "build/games/LuaJIT as in LÖVE"; \
	    luajit $(LOVE_JIT)=512 bench/lua/games.lua >> "build/games/the same, 512 KB"; \
	done
	@lua5.4 bench/lua/games.lua 'build/games/Lua 5.4' build/games/LuaJIT 'build/games/LuaJIT as in LÖVE' \
	    'build/games/the same, 512 KB'

bench-bodies: #: milliseconds of a step of gases, heaps and crowds, in LÖVE beside love.physics
	@tools/install.sh cc luajit love
	@$(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
	@eval "$$(tools/env.sh build/luajit luajit)"; \
	    SDL_VIDEODRIVER=dummy love bench/lua/love file=bodies.lua $(LUA_ARGS)

# The systems take turns, because the load of the machine may change.
windows_lua = $(in_wine) build/luas-windows/luajit51.exe
bench-windows: #: a row of figures through LuaJIT: Linux, and Windows in Wine with and without AVX2
	@tools/install.sh cc gcc luajit mingw64 wine64 dpkg-source
	@spec/dist/luas.sh windows build/luas-windows
	@$(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
	@$(MAKE) -s $(PARALLEL) build LUA=luajit TARGET=mingw64 WERROR=
	@$(MAKE) -s $(PARALLEL) build LUA=luajit TARGET=mingw64 WERROR= CPPFLAGS=-DBS_BASELINE \
	    BUILD=build/mingw64-baseline-luajit CORE=build/mingw64-baseline-core
	@echo '|  | a frame of 8,192 boxes | a line of sight | a move |' && echo '|---|--:|--:|--:|'
	@export LUA_PATH='./lua/?.lua;./lua/?/init.lua'; for n in 1 2 3; do \
	    LUA_CPATH=build/luajit/?.so luajit bench/lua/systems.lua Linux && \
	    LUA_CPATH=build/mingw64-luajit/?.dll $(windows_lua) bench/lua/systems.lua Windows && \
	    LUA_CPATH=build/mingw64-baseline-luajit/?.dll $(windows_lua) bench/lua/systems.lua \
	        'Windows, without AVX2' || exit 1; \
	done | tr -d '\r'

bench-count: ## instructions per frame and query, by valgrind; fails if they grew by 10% (UPDATE=1)
	@tools/install.sh cc valgrind
	@$(MAKE) -s $(PARALLEL) $(BENCH)/count $(BENCH)/count-baseline WERROR=
	@CC='$(CC)' UPDATE=$(UPDATE) bench/count.sh bench/counts.txt $(BENCH)/count $(BENCH)/count-baseline

bench-check: BENCH := build/check/bench
bench-check: #: checks all answers in a short benchmark of ours alone, in 2D and in 3D
	@tools/install.sh cc
	@$(MAKE) -s $(PARALLEL) $(BENCH)/bench $(BENCH)/3d/bench BENCH=$(BENCH)
	@$(BENCH)/bench quick pairs queries only=S2,S7,S12s
	@$(BENCH)/3d/bench quick pairs queries only=S2,S7,S12s

bench-build: $(BENCH)/bench $(BENCH)/3d/bench $(BENCH)/pools

# 3D is built in a folder of its own, with the only other library that is three-dimensional.
bench_upper = $(shell echo $(1) | tr a-z A-Z)
bench_dim := 2
bench_flags = -DDIM=$(bench_dim) -Iinclude -Isrc -Ibench
bench_peers = $(PEERS)
$(BENCH)/3d/%: bench_dim := 3
$(BENCH)/3d/%: bench_peers = $(filter bullet,$(PEERS))
bench_with = $(foreach p,$(bench_peers),-DWITH_$(call bench_upper,$(p)))
$(BENCH)/subjects.o $(BENCH)/3d/subjects.o: bench_flags += $(bench_with)
$(BENCH)/subjects.o $(BENCH)/3d/subjects.o: $(BENCH)/peers.txt
bench_parts := main samples scenes shapes report subjects works pairs tables blog queries memory verdict \
  subjects/ours
bench_objects = $(patsubst %,$(BENCH)/$(1)%.o,$(bench_parts) \
  $(if $(2),subjects/peer $(2:%=subjects/%)))
bench_libs_box2d := -lbox2d
bench_libs_chipmunk := -lchipmunk
bench_libs_bullet := -lBulletCollision -lLinearMath
bench_link = $(if $(shell command -v $(CXX)),$(CXX),$(CC)) -o $@ $^ \
  $(foreach p,$(bench_peers),$(bench_libs_$(p))) -lm

# The core for processors without AVX2, beside the one that the module has.
baseline := $(core:src/%.c=$(BENCH)/baseline/%.o)
$(BENCH)/baseline/%.o: src/%.c $(BENCH)/compile.txt
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -DBS_BASELINE -DDIM=2 -Iinclude -Isrc -MMD -MP -c -o $@ $<

bench_c = $(CC) $(FLAGS) $(WARNINGS) $(WERROR) $(bench_flags) -MMD -MP -c -o $@ $<
bench_cpp = $(CXX) -std=c++14 -O3 -g $(CHECKS) -ffp-contract=off -fvisibility=hidden \
  -Wall -Wextra $(bench_flags) -isystem /usr/include/bullet -MMD -MP -c -o $@ $<

$(BENCH)/%.o: bench/%.c $(BENCH)/compile.txt
	@mkdir -p $(@D)
	$(bench_c)

$(BENCH)/%.o: bench/%.cpp $(BENCH)/compile.txt
	@mkdir -p $(@D)
	$(bench_cpp)

$(BENCH)/3d/%.o: bench/%.c $(BENCH)/compile.txt
	@mkdir -p $(@D)
	$(bench_c)

$(BENCH)/3d/%.o: bench/%.cpp $(BENCH)/compile.txt
	@mkdir -p $(@D)
	$(bench_cpp)

$(BENCH)/bench: $(call bench_objects,,$(PEERS)) $(core_objects2)
	$(bench_link)

$(BENCH)/3d/bench: $(call bench_objects,3d/,$(filter bullet,$(PEERS))) $(core_objects3)
	$(bench_link)

$(BENCH)/pools: $(BENCH)/pools.o $(core_objects2)
	$(CC) -o $@ $^ -lm

bench_count_objects := $(patsubst %,$(BENCH)/%.o,count scenes shapes subjects/ours)
$(BENCH)/count: $(bench_count_objects) $(core_objects2)
$(BENCH)/count-baseline: $(bench_count_objects) $(baseline)
$(BENCH)/count $(BENCH)/count-baseline:
	$(CC) -o $@ $^ -lm

$(BENCH)/compile.txt: contents = $(CC) $(FLAGS) $(bench_cpp)
$(BENCH)/peers.txt: contents = $(PEERS)
$(BENCH)/compile.txt $(BENCH)/peers.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(contents)' | cmp -s - $@ || echo '$(contents)' > $@

-include $(wildcard $(BENCH)/*.d $(BENCH)/*/*.d $(BENCH)/*/*/*.d)
