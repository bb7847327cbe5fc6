# web.mk: Broadside in a browser: Lua, 2D and 3D in one WebAssembly program, and the playground
# around it. The Makefile includes it; doc/web.md says how to host the result.

.PHONY: web web-lua web-all docs-live test-web test-web-small determinism-web

WEB := build/web
WEB_OBJECTS := build/web-objects
# One variant has vectors, one is for browsers without. WEB_VARIANTS=plain builds only that.
WEB_VARIANTS := simd plain
web_flags_simd := -msimd128
web_flags_plain :=

# Emscripten looks for acorn, which Debian has in another place.
emcc := NODE_PATH=/usr/share/nodejs emcc
web_lua := build/web-objects/lua/source/src
web_lua_names := $(addprefix l,api code ctype debug do dump func gc lex mem object opcodes parser \
  state string table tm undump vm zio auxlib baselib corolib dblib mathlib oadlib oslib strlib \
  tablib utf8lib)
# Emscripten's compiler without Emscripten, which takes longer to start than most files take to
# compile. It is asked for its flags once, when something is compiled.
web_cflags = $(eval web_cflags := $$(shell emcc --cflags))$(web_cflags)
web_compile = clang $(web_cflags) -std=gnu11 -ffp-contract=off -DNDEBUG -w -Iinclude -Isrc \
  -isystem $(web_lua)

# The program is to stay near 300 kB when it is packed. So only what is called most is compiled for
# speed, and the rest for size. 3D is included, but not for speed: its back ends call what they
# would inline.
web_fast := $(addprefix %/lua/l,vm.o table.o do.o) $(addprefix %/simd/,lua/lapi.o lua/lgc.o \
  lua/lstring.o host/graphics.o host/picture.o d2/broad/backends_baseline.o d2/world/world.o)
web_quick := $(addprefix %/simd/d2/,motion/way.o motion/move.o pool/pool_step.o) \
  %/plain/d2/broad/backends_baseline.o
web_opt = $(if $(filter $(web_fast),$@),-O2,$(if $(filter $(web_quick),$@),-Os,-Oz)) \
  $(if $(findstring /d3/,$@),-Dalways_inline=unused)
# Only the project's own files are compiled with warnings. JavaScript sees functions that no header
# declares.
web_command = $(if $(findstring /host/,$@),$(filter-out -w,$(web_compile)) $(WARNINGS) $(WERROR) \
  -Wno-missing-prototypes -Wno-missing-declarations -Wno-double-promotion,$(web_compile))
# $(call web_rule,VARIANT,OBJECTS,SOURCES,FLAGS)
define web_rule
$(WEB_OBJECTS)/$(1)/$(2)%.o: $(3)%.c $(WEB_OBJECTS)/compile.txt
	@mkdir -p $$(@D)
	$$(quiet)$$(web_command) $$(web_opt) $(web_flags_$(1)) $(4) -MMD -MP -c -o $$@ $$<
endef
define web_rules
web_objects_$(1) := $$(web_lua_names:%=$(WEB_OBJECTS)/$(1)/lua/%.o) \
  $$(patsubst web/%.c,$(WEB_OBJECTS)/$(1)/host/%.o,$$(wildcard web/*.c)) \
  $$(foreach dim,2 3,$$(core:src/%.c=$(WEB_OBJECTS)/$(1)/d$$(dim)/%.o) \
    $$(binding:src/%.c=$(WEB_OBJECTS)/$(1)/d$$(dim)/%.o))
$(call web_rule,$(1),lua/,$(web_lua)/)
$(call web_rule,$(1),host/,web/)
$(call web_rule,$(1),d2/,src/,-DDIM=2)
$(call web_rule,$(1),d3/,src/,-DDIM=3)
$(WEB_OBJECTS)/$(1)/program.js: $$(web_objects_$(1))
	$$(quiet)$$(web_link) -o $$@ $$^
endef
$(foreach variant,$(WEB_VARIANTS),$(eval $(call web_rules,$(variant))))
-include $(wildcard $(WEB_OBJECTS)/*/*/*.d $(WEB_OBJECTS)/*/*/*/*.d)
# As in the Makefile: what another command has built is built again.
$(WEB_OBJECTS)/compile.txt: contents = $(web_compile) $(web_fast) $(web_quick)
$(WEB_OBJECTS)/compile.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(contents)' | cmp -s - $@ || echo '$(contents)' > $@

web_link_opt := -Oz
web_link := $(emcc) $(web_link_opt) -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker \
  -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=512MB -sTOTAL_STACK=1MB \
  -sEXPORTED_RUNTIME_METHODS=[] \
  -sINCOMING_MODULE_JS_API=instantiateWasm,print,printErr -sUSE_ES6_IMPORT_META=0

# The packages of the lock file: CodeMirror, a bundler, and what drives a browser in tests.
web_packages := $(WEB_OBJECTS)/packages/node_modules/.package-lock.json
$(web_packages): web/package-lock.json web/package.json
	@mkdir -p $(WEB_OBJECTS)/packages && cp $^ $(WEB_OBJECTS)/packages
	@cd $(WEB_OBJECTS)/packages && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

web: ## the playground, of Lua and Broadside in WebAssembly, into build/web: see doc/web.md
	@tools/install.sh cc emcc clang node npm acorn dpkg-source
	@$(MAKE) -s web-lua
	@$(MAKE) -s $(PARALLEL) web-all

# The only change to Lua is that its loop counts.
web-lua:
	@tools/fetch_source.sh lua5.4 build/web-objects/lua
	@echo '#define DEB_HOST_MULTIARCH ""' > $(web_lua)/lua5.4-deb-multiarch.h
	@cd $(web_lua) && { [ -e lvm.orig ] || cp lvm.c lvm.orig; } && \
	    sed -f $(CURDIR)/web/lvm.sed lvm.orig > lvm.new && \
	    { cmp -s lvm.new lvm.c || cp lvm.new lvm.c; } && [ $$(grep -c web_count lvm.c) = 5 ] || \
	    { echo "web/lvm.sed does not fit this Lua" >&2; exit 1; }

web-all: $(WEB_VARIANTS:%=$(WEB_OBJECTS)/%/program.js) $(web_packages)
	@rm -rf $(WEB)
	@for variant in $(WEB_VARIANTS); do mkdir -p $(WEB)/$$variant && \
	    cp $(WEB_OBJECTS)/$$variant/program.js \
	        $(WEB_OBJECTS)/$$variant/program.wasm $(WEB)/$$variant && \
	    echo "$$variant: $$(gzip -9c $(WEB)/$$variant/program.wasm | wc -c) bytes packed" || \
	    exit 1; done
	@node web/build.mjs $(CURDIR)/$(WEB) $(firstword $(WEB_VARIANTS))
	@echo "$(WEB) is for any host of static files: see doc/web.md"

test-web: docs-live ## test the playground in a browser without a window (ONLY=pattern: some tests)
	@tools/install.sh cc chromium lua5.4 luajit love offscreen
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@$(build_luajit)
	@eval "$$(tools/env.sh build/lua5.4 lua5.4)"; node web/test/run.mjs \
	    $(CURDIR)/$(WEB) lua5.4 $(CURDIR)/$(DOCS)/html

# One variant, compiled only for tests.
web_small := build/web-small
test-web-small: #: tests without a browser: WebAssembly in node, the golden hash, each example's state
	@tools/install.sh cc emcc clang node acorn dpkg-source lua5.4
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@$(MAKE) -s web-lua
	@$(MAKE) -s $(PARALLEL) $(web_small)/simd/program.js WEB_OBJECTS=$(web_small) \
	    WEB_VARIANTS=simd web_opt=-O1 web_link_opt=-O1
	@eval "$$(tools/env.sh build/lua5.4 lua5.4)"; node web/test/small.mjs $(web_small)/simd lua5.4

# The hashes of Lua's work, as in spec/trust.mk, three for each variant.
determinism-web: web
	@for variant in $(WEB_VARIANTS); do hashes=$(WEB_OBJECTS)/$$variant/hashes.txt; \
	    echo "== WebAssembly, $$variant"; \
	    node web/test/determinism.mjs $(WEB)/$$variant > $$hashes && cat $$hashes && \
	    [ $$(grep -cxFf spec/determinism/expected.txt $$hashes) = 3 ] || \
	    { echo "another hash" >&2; exit 1; }; done

docs-live: docs web #: the pages of make docs, with buttons that run the examples
	@node web/live.mjs $(DOCS)/html $(WEB)
	@echo "begin with index.html of a server of $(DOCS)/html: cd there, python3 -m http.server"
