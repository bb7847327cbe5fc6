# Broadside: `make help` lists the targets.

# The Lua to build for, which is the name of its interpreter and of the folder under build/: lua5.5,
# lua5.4, lua5.3, lua5.2, lua5.1 or luajit. A variable of this name in the environment is ignored.
LUA := lua5.4
LUA_CFLAGS := $(shell tools/lua_cflags.sh $(LUA))
BUILD := build/$(LUA)
CORE := build/core
PREFIX := /usr/local
include dist.mk love.mk

# V=1 shows the commands that compile. INSTALL=no installs nothing, and names what is missing.
V :=
quiet := $(if $(V),,@)
# In a terminal one line counts what has been built. Elsewhere only failures are printed.
built :=
tell = @$(if $(MAKE_TERMOUT),$(eval built += x)printf '\r\033[K  %s' '$(words $(built)): $(1)',:)
tell_end = @$(if $(MAKE_TERMOUT),printf '\r\033[K  %s\n' '$(1)',:)

# WERROR= lets a compiler build that has more warnings than these.
OPT := -O2
WERROR := -Werror
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
  -Wfloat-conversion -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations \
  -Wold-style-definition -Wredundant-decls -Wnested-externs -Wvla -Wcast-qual -Wcast-align \
  -Wpointer-arith -Wwrite-strings -Wundef -Wimplicit-fallthrough -Winit-self \
  -Wuninitialized -Wformat=2 -Wdate-time -Wunused-macros

# Answers must not depend on the compiler: no fused multiply-add, no relaxed arithmetic.
FLAGS = -std=c11 $(OPT) -g -fPIC -fvisibility=hidden -ffp-contract=off $(CHECKS)
CHECKS := -DNDEBUG

MODULE := -shared
LIBS := -lm
SO := so
target := $(shell $(CC) -dumpmachine 2>/dev/null)
ifneq (,$(findstring apple,$(target)))
  MODULE := -bundle -undefined dynamic_lookup
  LIBS :=
else ifneq (,$(findstring -w64-,$(target)))
  SO := dll
  MODULE_LIBS := -l$(lua_dll)
  # There isfinite is a macro with a branch for floats, and NAN is a float.
  WARNINGS += -Wno-float-conversion -Wno-double-promotion
else
  # A missing symbol is an error when the module is required, not when it is first called. The build
  # id, by which debuggers find symbols, is left out, so that stripped files are the same in any
  # folder.
  MODULE += -Wl,-z,now,--build-id=none
endif

# SANITIZE=1 adds the address and undefined-behaviour sanitizers, assertions, and the core's checks
# of whole structures. The module stays in memory when Lua unloads it, so that reports on leaks can
# name functions.
ifdef SANITIZE
  BUILD := build/asan-$(LUA)
  CORE := build/asan-core
  OPT := -O2
  CHECKS := -DBS_CHECKS
  FLAGS += -fno-omit-frame-pointer \
    -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
  MODULE += -Wl,-z,nodelete
  ifneq (,$(findstring clang,$(shell $(CC) --version)))
    MODULE += -shared-libasan
    ASAN = $(shell $(CC) -print-file-name=libclang_rt.asan-$(firstword $(subst -, ,$(target))).so)
  else
    ASAN = $(shell $(CC) -print-file-name=libasan.so)
  endif
endif

# A folder includes itself and those before it (spec/project/layering_spec.lua).
core_folders := base simd narrow broad world motion step pool
core := $(wildcard $(core_folders:%=src/%/*.c))
# Tests of the core have these, and builds in which the core calls them (BS_CHECKS).
checkers := $(wildcard spec/core/checkers/*.c)
binding := $(wildcard src/lua/*.c)
# The back ends are compiled as parts of two units (backends_all.h).
headers := $(wildcard include/broadside/*.h src/*/*.h src/broad/*/*.[ch])
# DIMS=2 builds no 3D.
DIMS := 2 3
modules := $(DIMS:%=$(BUILD)/broadside/d%.$(SO))
compile = $(CC) $(FLAGS) $(WARNINGS) $(WERROR) -Iinclude -Isrc $(CPPFLAGS) $(CFLAGS)
compile_binding = $(compile) $(patsubst -I%,-isystem %,$(LUA_CFLAGS))
link = $(CC) $(filter -O% -g -fsanitize%,$(FLAGS)) $(CFLAGS) $(MODULE) $(LDFLAGS)
environment = eval "$$(tools/env.sh '$(BUILD)' $(LUA))"

MAKEFLAGS += --no-print-directory
processors := $(shell nproc 2>/dev/null || echo 1)
# Runs as many jobs as there are processors, unless make was told how many (only known in recipes).
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(processors))
PROCESSES = $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(processors))
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build archive lua-headers demo area test-rock rock-gcc rock-clang lint lint-lua lint-shell \
  lint-format lint-c format types names drawings docs env install clean help help-all FORCE

build: lua-headers $(modules) ## build for LUA (lua5.4) into build/<lua>/: the default

# If no folder with the headers is known, the compiler may still find them.
lua-headers:
	@[ -n '$(LUA_CFLAGS)' ] || echo '#include <lua.h>' | \
	    $(CC) $(CPPFLAGS) $(CFLAGS) -E -o /dev/null - || { \
	    echo "the headers of $(LUA) are missing (Debian and Ubuntu: lib$(LUA:luajit=luajit-5.1)-dev):" \
	        "install them, or say LUA_CFLAGS=-I/their/folder" >&2; \
	    exit 1; }

# $(call rules,N): the core, its tests in C and the binding for N axes. All versions of Lua share the
# core's objects.
define rules
core_objects$(1) := $(core:src/%.c=$(CORE)/d$(1)/%.o)
checked_objects$(1) := $$(core_objects$(1)) $(checkers:spec/%.c=$(CORE)/d$(1)/%.o)
$(BUILD)/broadside/d$(1).$(SO): $$(if $$(filter -DBS_CHECKS,$$(CHECKS)),$$(checked_objects$(1)),$$(core_objects$(1))) \
  $(binding:src/lua/%.c=$(BUILD)/obj-d$(1)/%.o)
$(CORE)/d$(1)/%.o: src/%.c $(CORE)/compile.txt
	@mkdir -p $$(@D)
	$$(call tell,$$< in $(1)D)
	$$(quiet)$$(compile) -DDIM=$(1) -MMD -MP -c -o $$@ $$<
$(CORE)/d$(1)/%.o: spec/%.c $(CORE)/compile.txt
	@mkdir -p $$(@D)
	$$(call tell,$$< in $(1)D)
	$$(quiet)$$(compile) -Ispec/core -DDIM=$(1) -MMD -MP -c -o $$@ $$<
$(BUILD)/obj-d$(1)/%.o: src/lua/%.c $(BUILD)/compile.txt
	@mkdir -p $$(@D)
	$$(call tell,$$< in $(1)D for $(LUA))
	$$(quiet)$$(compile_binding) -DDIM=$(1) -MMD -MP -c -o $$@ $$<
endef
$(foreach dim,2 3,$(eval $(call rules,$(dim))))

$(modules): $(BUILD)/link.txt
	@mkdir -p $(@D)
	$(call tell_end,$@)
	$(quiet)$(prepare)$(link) -o $@ $(filter %.o,$^) $(LIBS) $(MODULE_LIBS)

# The archive for programs that load no libraries. Some objects have the same name in several
# folders; an archive holds them all if they are appended.
archive: lua-headers $(BUILD)/libbroadside.a #: 2D and 3D in one archive, to link into a program with Lua
$(BUILD)/libbroadside.a: $(foreach dim,$(DIMS),$(core_objects$(dim)) \
  $(binding:src/lua/%.c=$(BUILD)/obj-d$(dim)/%.o))
	@rm -f $@
	$(call tell_end,$@)
	$(quiet)$(AR) qcs $@ $^

# These files change when the command in them does. Then what it built is built again.
$(CORE)/compile.txt: contents = $(filter-out -Werror,$(compile))
$(BUILD)/compile.txt: contents = $(filter-out -Werror,$(compile_binding))
$(BUILD)/link.txt: contents = $(link) $(core) $(binding) $(LIBS) $(MODULE_LIBS)
$(CORE)/compile.txt $(BUILD)/compile.txt $(BUILD)/link.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(contents)' | cmp -s - $@ || echo '$(contents)' > $@

-include $(wildcard $(CORE)/d*/*/*.d $(CORE)/d*/*/*/*.d $(BUILD)/obj-d*/*.d)

demo: ## install what is missing, build for Lua 5.4 and run the main example
	@tools/install.sh cc lua5.4
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@eval "$$(tools/env.sh build/lua5.4 lua5.4)"; lua5.4 examples/cannon/demo.lua

area: #: run the example area in two processes for some seconds, and draw them as broadside-area.svg
	@tools/install.sh cc lua5.4 lua-socket:lua5.4
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@eval "$$(tools/env.sh build/lua5.4 lua5.4)"; rm -rf build/area && mkdir -p build/area; \
	for side in 1 2; do \
	    lua5.4 examples/area/server.lua $$side folder=build/area & echo $$! >> build/area/running; \
	done; \
	sleep 5; lua5.4 examples/area/draw.lua broadside-area.svg; status=$$?; \
	kill $$(cat build/area/running); exit $$status

compile_commands.json: FORCE #: how each file is compiled, in 2D, for editors and clangd
	@for file in $(core) $(binding); do \
	    printf '{"directory": "%s", "file": "%s", "command": "%s -DDIM=2 -c %s"},\n' \
	        '$(CURDIR)' "$$file" '$(subst ",,$(compile_binding))' "$$file"; \
	done | sed '1s/^/[/; $$s/,$$/]/' > $@

# Each linter checks for its own tools. If one is missing, the others still run before this fails.
lint: ## luacheck, shellcheck, clang-format, both compilers with all warnings, static analysis
	@$(MAKE) -k lint-lua lint-shell lint-format lint-c analyze

# Without build/: luacheck would go through it in spite of .luacheckrc, and Wine has a link to /
# there.
lint-lua:
	@tools/install.sh luacheck
	luacheck --quiet --no-color $(filter-out build/,$(wildcard */)) .luacheckrc .busted
	luacheck --quiet --no-color --std rockspec - < broadside-scm-1.rockspec

lint-shell:
	@tools/install.sh shellcheck
	shellcheck --severity=warning .ci/run $(wildcard tools/*.sh tools/*/*.sh bench/*.sh spec/*/*.sh)

formatted := $(headers) $(core) $(binding) $(wildcard \
  $(foreach d,bench bench/subjects spec/* spec/core/checkers tools/sdk/* tools/defold examples/embed,$(d)/*.h $(d)/*.c*) web/*.[ch])
lint-format:
	@tools/install.sh clang-format
	clang-format --dry-run -Werror $(formatted)
	@! grep -nE '.{101}' $(formatted) || { echo "over 100 columns" >&2; exit 1; }

# The public headers are also C++. The default compiler's objects usually exist already; the other
# one of GCC and Clang compiles everything once more. GCC finds more when it optimises, Clang does
# not.
other_compiler := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),gcc -O2,clang -O0)
lint-c:
	@tools/install.sh cc gcc clang lua5.4
	@for dim in 2 3; do echo '#include <broadside/pool.h>' | clang -x c++ -std=c++14 -Wall -Wextra \
	    -Wpedantic -Werror -fsyntax-only -DDIM=$$dim -Iinclude - || exit 1; done
	@$(MAKE) -s $(PARALLEL) build bench-build LUA=lua5.4 BENCH=build/lint/bench
	@$(MAKE) -s $(PARALLEL) build bench-build LUA=lua5.4 CC=$(word 1,$(other_compiler)) \
	    OPT=$(word 2,$(other_compiler)) BUILD=build/lint/other CORE=build/lint/other/core \
	    BENCH=build/lint/other/bench

test-rock: rock-gcc rock-clang #: LuaRocks installs the rock, built by GCC and by Clang

rock-gcc:
	@tools/install.sh gcc luarocks lua5.4 zip
	@tools/check_rock.sh gcc 5.4 lua5.4

rock-clang:
	@tools/install.sh clang luarocks lua5.1 luajit zip
	@tools/check_rock.sh clang 5.1 lua5.1 luajit

format: ## apply clang-format to the C sources
	@tools/install.sh clang-format
	clang-format -i $(formatted)

env: #: print shell lines that let LUA find this build: eval "$(make -s env)"
	@tools/env.sh '$(BUILD)' $(LUA)

# Annotations for language servers, and pages made from them.
DOCS := build/docs
annotations := types/library/broadside

names: build #: make the names.h files again, after a function was added or removed
	@tools/names.sh . $(core_objects2) $(binding:src/lua/%.c=$(BUILD)/obj-d2/%.o)

types: #: make the annotations of properties, responses, for 3D, and for ids and data as results
	@tools/install.sh lua5.4
	@lua5.4 tools/types_properties.lua $(annotations)/2d.lua > $(annotations)/2d.lua.new
	@mv $(annotations)/2d.lua.new $(annotations)/2d.lua
	@lua5.4 tools/types_responses.lua $(annotations).lua > $(annotations).lua.new
	@mv $(annotations).lua.new $(annotations).lua
	@lua5.4 tools/types3d.lua $(annotations)/2d.lua > $(annotations)/3d.lua
	@lua5.4 tools/types_results.lua > $(annotations)/results.lua

drawings: build #: draw the pictures of doc/ that are SVG: walker, architecture, concepts, bodies, shapes
	@$(environment); $(LUA) tools/walker_pictures.lua doc/pictures
	@$(environment); $(LUA) tools/recipe_pictures.lua doc/pictures
	@$(environment); $(LUA) tools/architecture_picture.lua doc/pictures/architecture.svg
	@$(environment); $(LUA) tools/concept_pictures.lua doc/pictures

docs: ## make pages in build/docs/html: the guides, the examples, and each call of the API, with LDoc
	@tools/install.sh ldoc lua5.1 cmark-gfm
	@rm -rf $(DOCS) && mkdir -p $(DOCS)/source/api $(DOCS)/source/examples
	@LUA_PATH='./?.lua;;' lua5.1 tools/ldoc_source.lua $(DOCS)/source
	@lua5.1 "$$(command -v ldoc)" --fatalwarnings --quiet --config $(DOCS)/source/config.ld \
	    --template tools/docs --style tools/docs --dir $(DOCS)/html $(DOCS)/source/api
	@LUA_PATH='./?.lua;;' lua5.1 tools/docs/fill.lua $(DOCS)/html
	@LUA_PATH='./?.lua;;' lua5.1 tools/docs/check.lua $(DOCS)/html
	@echo "begin with $(DOCS)/html/index.html"

abi := $(patsubst lua%,%,$(LUA:luajit=lua5.1))
lua_folders := $(patsubst lua/%/,%,$(sort $(dir $(wildcard lua/broadside/*.lua lua/broadside/*/*.lua))))
install: build ## install into PREFIX (/usr/local)
	install -d '$(DESTDIR)$(PREFIX)/lib/lua/$(abi)/broadside' \
	    $(lua_folders:%='$(DESTDIR)$(PREFIX)/share/lua/$(abi)/%')
	install -m 755 $(modules) '$(DESTDIR)$(PREFIX)/lib/lua/$(abi)/broadside'
	$(foreach folder,$(lua_folders),install -m 644 lua/$(folder)/*.lua \
	    '$(DESTDIR)$(PREFIX)/share/lua/$(abi)/$(folder)' &&) :
	install -d '$(DESTDIR)$(PREFIX)/include/broadside'
	install -m 644 include/broadside/*.h '$(DESTDIR)$(PREFIX)/include/broadside'

clean: ## remove build/
	rm -rf build

include spec/specs.mk bench/bench.mk spec/trust.mk web.mk

# $(1): the mark before the text of targets that are listed.
list_targets = sed -n 's/^\([a-z0-9_.-]*\):.* $(1) \(.*\)/\1|\2/p' Makefile spec/specs.mk \
	    $(filter-out spec/specs.mk,$(filter %.mk,$(MAKEFILE_LIST))) | \
	    awk -F'|' '{ printf "make %-13s %s\n", $$1, $$2 }'

help: #: list the main targets; help-all lists all others
	@$(call list_targets,##)

help-all:
	@$(call list_targets,#:)
