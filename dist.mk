# dist.mk: Broadside for other machines: builds for other systems, the packages, their layout, and
# their tests. The Makefile includes it. The compiler tells it what it builds for.
#
#     make LUA=luajit TARGET=mingw64      # cross-compiles with MinGW-w64, into build/mingw64-luajit
#     make LUA=lua5.4 TARGET=gcc-arm64    # for ARM64 Linux, into build/gcc-arm64-lua5.4
#     make LUA=luajit TARGET=macos-arm64  # and macos-x64; TARGET=macos lays out both in one file
#     make LUA=luajit TARGET=ios archive  # an archive to link into a program for iPhones
#     make LUA=luajit TARGET=android-arm64        # and android-arm, android-x64

.PHONY: lay-out lay-lua halves defold test-defold dist release release-files dist-zip dist-android lay-apk dist-rock \
  test-dist test-dist-here test-dist-arm64 test-dist-windows \
  test-dist-macos test-dist-ios test-dist-android test-dist-rock test-dist-same check-windows

# The system to build for, by the name of a compiler in tools/install.sh; empty for this machine.
TARGET :=
# Lua's library on Windows. LÖVE's has the name of that of Lua 5.1.
lua_dll := $(subst .,,$(LUA:luajit=lua5.1))
STRIP ?= strip
MODULE_LIBS :=
# A command that runs on objects before they are linked.
prepare :=
# The command that puts a library into a package.
place = SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(STRIP) --strip-unneeded -o $(2) $(1)

ifneq (,$(TARGET))
BUILD := build/$(TARGET)-$(LUA)
CORE := build/$(TARGET)-core
# Debian's headers of Lua include one that says where this machine keeps libraries. An empty one
# will do.
LUA_CFLAGS += -I$(BUILD)/headers
$(shell mkdir -p $(BUILD)/headers && : > $(BUILD)/headers/$(LUA)-deb-multiarch.h)
endif

# The linker only needs the names that are used of a library of Lua. The objects that call it have
# them. They are the same in 2D and 3D.
lua_users = $(patsubst src/lua/%.c,$(BUILD)/obj-d2/%.o,$(wildcard src/lua/*.c))
lua_names = awk '$$1 == "U" && $$2 ~ /^luaL?_/ { print $$2 }' | sort -u
so_files := $(BUILD)/broadside/d2.so $(BUILD)/broadside/d3.so

ifeq ($(TARGET),gcc-arm64)
CC := aarch64-linux-gnu-gcc
STRIP := aarch64-linux-gnu-strip
endif

ifeq ($(TARGET),mingw64)
# Clang with MinGW's headers and linker, because GCC does not align the stack for AVX there.
CC := clang --target=x86_64-w64-mingw32 -Qunused-arguments \
  -nostdlibinc -isystem /usr/x86_64-w64-mingw32/include \
  -L$(dir $(shell x86_64-w64-mingw32-gcc -print-libgcc-file-name))
STRIP := x86_64-w64-mingw32-strip
LDFLAGS += -L$(BUILD) -static-libgcc -Wl,--no-insert-timestamp

$(BUILD)/lib$(lua_dll).def: $(lua_users)
	@printf 'LIBRARY %s\nEXPORTS\n' $(lua_dll).dll > $@
	@x86_64-w64-mingw32-nm -u $^ | $(lua_names) >> $@

$(BUILD)/lib$(lua_dll).dll.a: $(BUILD)/lib$(lua_dll).def
	x86_64-w64-mingw32-dlltool --def $< --output-lib $@

$(BUILD)/broadside/d2.dll $(BUILD)/broadside/d3.dll: $(BUILD)/lib$(lua_dll).dll.a
endif

# --- macOS and Android ----------------------------------------------------------------------------

# Clang compiles for both systems. What it needs of their C libraries is in tools/sdk.
sdk := -nostdlibinc -idirafter tools/sdk/include
llvm = $(shell clang -print-prog-name=llvm-$(1))

# A package has one file for both processors. The linker signs the code for ARM64, without which no
# Mac runs it. So that code must not be stripped afterwards.
HALVES := $(if $(filter macos,$(TARGET)),macos-arm64 macos-x64)
ifneq (,$(filter macos% ios,$(TARGET)))
apple_macos-x64 := x86_64-apple-macos10.13
apple_ios := arm64-apple-ios12
CC := clang --target=$(or $(apple_$(TARGET)),arm64-apple-macos11)
AR := $(call llvm,ar)
override CPPFLAGS += $(sdk)
LDFLAGS += -fuse-ld=lld -nodefaultlibs tools/sdk/libSystem.tbd -Wl,-S
# x86-64 has a second set of tables besides those by which macOS unwinds the stack. This linker does
# not relocate them, so they would have the addresses that functions had in their objects. Without
# them the others suffice.
ifeq ($(TARGET),macos-x64)
prepare = for file in $(filter %.o,$^); do \
  $(call llvm,objcopy) --remove-section __TEXT,__eh_frame $$file $$file.new && \
  touch -r $$file $$file.new && mv $$file.new $$file || exit 1; done;
endif
place = $(call llvm,lipo) -create -output $(2) $(HALVES:%=build/%-$(LUA)/broadside/$(notdir $(1)))
endif

# Libraries for Android name the library that has Lua: liblove.so in LÖVE 11, libluajit.so in LÖVE
# 12. The linker needs libraries of these names.
APK_LUA := love
ifneq (,$(filter android-%,$(TARGET)))
android_arm := armv7a-linux-androideabi21
android_arm64 := aarch64-linux-android21
android_x64 := x86_64-linux-android21
CC := clang --target=$(android_$(TARGET:android-%=%))
override CPPFLAGS += $(sdk)
LDFLAGS += -fuse-ld=lld -nostdlib -L$(BUILD)/stubs -Wl,--no-undefined,-z,max-page-size=16384
MODULE_LIBS := -lc -l$(APK_LUA)
STRIP := $(call llvm,strip)

# 32-bit ARM calls functions for 64-bit division and conversion. The NDK has them, Debian's Clang
# does not.
arm := $(filter android-arm,$(TARGET))
ifneq (,$(arm))
# LuaJIT may raise errors through this code, which takes tables that other processors have anyway.
override CPPFLAGS += -Wno-cast-align -funwind-tables
$(so_files): $(BUILD)/arm.o
$(BUILD)/arm.o: tools/sdk/android/arm.c
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<
endif

$(so_files): $(foreach name,c m $(APK_LUA),$(BUILD)/stubs/lib$(name).so)
stub = mkdir -p $(@D) && awk '{ print ".globl " $$1 "; .type " $$1 ",%function; " $$1 ":" }' | \
    $(CC) -fuse-ld=lld -nostdlib -shared -Wl,-soname,$(@F) -x assembler - -o $@
$(BUILD)/stubs/libc.so: $(arm:%=tools/sdk/android/libc-arm.txt)
$(BUILD)/stubs/libc.so $(BUILD)/stubs/libm.so: $(BUILD)/stubs/%.so: tools/sdk/android/%.txt
	@cat $^ | ( $(stub) )
$(BUILD)/stubs/lib$(APK_LUA).so: $(lua_users)
	@$(call llvm,nm) -u $^ | $(lua_names) | ( $(stub) )
endif

# support/loader.lua's name of the system that the compiler builds for, such as linux-x64.
processor = $(firstword $(subst -, ,$(target)))
linux_or_windows = $(if $(findstring -w64-,$(target)),windows,linux)-$(patsubst \
  aarch64,arm64,$(patsubst x86_64,x64,$(processor)))
system = $(or $(if $(findstring apple,$(target)),macos),$(filter android%,$(TARGET)),$(linux_or_windows))

INTO :=
into_is_given = @[ -n '$(INTO)' ] || { echo "say where: INTO=path/to/$(1)" >&2; exit 1; }
laid-out = $(if $(HALVES),halves,build)
lay-out: lay-lua $(laid-out) ## put Broadside, built for LUA, into the folder INTO, where require() finds it (DIMS=2: no 3D)
	@mkdir -p '$(INTO)/lua$(subst .,,$(abi))-$(system)'
	@$(foreach file,$(modules),$(call \
	    place,$(file),'$(INTO)/lua$(subst .,,$(abi))-$(system)/$(notdir $(file))') &&) :
	@$(if $(MAKELEVEL:0=),:,echo 'Broadside for $(LUA) is in $(INTO:%/=%) and $(INTO:%/=%).lua; types for editors' \
	    'are in $(INTO:%/=%)/types. Write in the program beside it:'; \
	    echo '    local broadside = require("$(notdir $(INTO:%/=%))")')

# Files of a game are not overwritten: it may have a folder named maps of its own.
lay-lua:
	$(call into_is_given,game/broadside)
	@[ -z "$$(ls -A '$(INTO)' 2>/dev/null)" ] || grep -qs '^--- Broadside' '$(INTO)/init.lua' || \
	    { echo 'other files are in $(INTO): say INTO=path/to/game/broadside' >&2; exit 1; }
	@[ ! -e '$(INTO:%/=%).lua' ] || grep -q 'broadside/init.lua' '$(INTO:%/=%).lua' || \
	    { echo '$(INTO:%/=%).lua is another file: choose another name for the folder' >&2; exit 1; }
	@mkdir -p '$(INTO)'
	@cp -R lua/broadside/. '$(INTO)'
	@cp -R types '$(INTO)'
	@{ echo '-- LuaJIT and Lua 5.1 and 5.2 do not look for broadside/init.lua in the folder of a game.'; \
	    echo 'return require((...) .. ".init")'; } > '$(INTO:%/=%).lua'

halves:
	@for half in $(HALVES); do $(MAKE) -s $(PARALLEL) build TARGET=$$half || exit 1; done

# --- packages -------------------------------------------------------------------------------------

DIST := build/dist
VERSION := $(shell sed -n 's/.*"Broadside \([0-9.]*\)".*/\1/p' lua/broadside/init.lua)
package = $(DIST)/broadside-$(VERSION)-$(or $(1),$(system))
ROCK := broadside-$(VERSION)-1
# Files in packages have the time of the commit, so the same commit gives the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315619200)
pack = SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) tools/pack.sh

dist: ## packages for Linux (x64, ARM64), Windows, macOS and Android, and the source rock, in build/dist
	@tools/install.sh cc lua5.4 luajit zip gcc-arm64 mingw64 macos android
	@[ $(system) = linux-x64 ] || { echo 'on x64 Linux only' >&2; exit 1; }
	@for system in '' gcc-arm64 mingw64 macos; do $(MAKE) -s dist-zip TARGET=$$system || exit 1; done
	@$(MAKE) -s dist-android TARGET=android
	@$(MAKE) -s dist-rock
	@cd $(DIST) && sha256sum *.zip *.rock | tee SHA256SUMS

# .github/workflows/release.yml runs this, and attaches the contents of build/dist/release.
TAG :=
release: #: run all checks for the tag TAG, then put only the packages into build/dist/release
	@[ '$(TAG)' = 'v$(VERSION)' ] || { echo "this is v$(VERSION), and not '$(TAG)'" >&2; exit 1; }
	@.ci/run
	@$(MAKE) -s release-files

release-files: dist
	@rm -rf $(DIST)/release && mkdir $(DIST)/release
	@cp $(DIST)/*.zip $(DIST)/*.rock $(DIST)/SHA256SUMS $(DIST)/release

dist-zip:
	@rm -rf $(package)
	@for lua in luajit lua5.4; do $(MAKE) -s $(PARALLEL) lay-out LUA=$$lua WERROR= \
	    INTO=$(package)/broadside || exit 1; done
	@cp LICENSE $(package)/broadside
	@{ echo 'Broadside $(VERSION) for $(system), for games in Lua 5.4, LuaJIT and LÖVE 11: a hero that' \
	    'runs, jumps and rides lifts, walls that stop, bullets that hit, and who touches whom.'; \
	    echo 'Folder and broadside.lua go into your game, where you like: require("broadside").'; \
	    echo 'For editors: types/library. All else: README.md and doc/ in the repository of Broadside.'; \
	    } > $(package)/broadside/README.txt
	@$(pack) $(package) $(package).zip

# Only for LÖVE. The package has the folders of love-android, for each of its versions.
apk_folder := app/src/main/jniLibs
android_abis := android-arm64:arm64-v8a android-arm:armeabi-v7a android-x64:x86_64
dist-android:
	@rm -rf $(package)
	@$(MAKE) -s lay-lua INTO=$(package)/broadside
	@cp LICENSE $(package)/broadside
	@sed 's/VERSION/$(VERSION)/' tools/sdk/android/README.txt > $(package)/README.txt
	@for love in 11:love 12:luajit; do for abi in $(android_abis); do \
	    $(MAKE) -s $(PARALLEL) lay-apk LUA=luajit WERROR= TARGET=$${abi%:*} APK_LUA=$${love#*:} \
	        INTO=$(package)/love-android-$${love%:*}/$(apk_folder)/$${abi#*:} || exit 1; \
	done; done
	@$(pack) $(package) $(package).zip

lay-apk: build
	@mkdir -p $(INTO)
	@$(foreach file,$(modules),$(call place,$(file),$(INTO)/broadside.$(notdir $(file))) &&) :

# LuaRocks builds from this without a network: a src.rock has the sources beside their rockspec.
dist-rock:
	@rm -rf $(DIST)/rock && mkdir -p $(DIST)/rock/broadside
	@cp -R include lua src LICENSE README.md $(DIST)/rock/broadside
	@sed -e 's/^version = .*/version = "$(VERSION)-1"/' \
	    -e 's/^\(  url = .*\)/\1\n  tag = "v$(VERSION)",/' broadside-scm-1.rockspec \
	    > $(DIST)/rock/$(ROCK).rockspec
	@cp $(DIST)/rock/$(ROCK).rockspec $(DIST)/rock/broadside
	@$(pack) $(DIST)/rock $(DIST)/$(ROCK).src.rock

# --- Defold ---------------------------------------------------------------------------------------

defold: #: lay Broadside out as an extension in the folder INTO of a Defold project
	$(call into_is_given,project)
	@tools/defold/lay.sh '$(INTO)'
	@echo 'Broadside is in $(INTO:%/=%)/broadside. Write in a script: require("broadside")'

# Compiles with the commands of Defold's build server (its build_input.yml). For this system it
# makes a program that stands for the engine; for the others only objects. Headers stand for those
# of Defold and of the systems.
DEFOLD := build/defold
defold_compile = clang++ -fno-exceptions -x c -O2 -ffp-contract=off -DNDEBUG -w \
  -I$(DEFOLD)/project/broadside/include -Ispec/defold
defold_objects = $(patsubst $(DEFOLD)/project/broadside/src/%.c,$(DEFOLD)/$(1)/%.o, \
  $(wildcard $(DEFOLD)/project/broadside/src/*.c))
defold_targets := arm64-apple-ios11 arm64-apple-macos11 x86_64-pc-windows-msvc \
  armv7a-linux-androideabi21 aarch64-linux-android21

test-defold: #: compile the extension for Defold's systems, and play it in a program like the engine
	@tools/install.sh clang lua5.1 luajit
	@tools/defold/lay.sh $(DEFOLD)/project
	@$(MAKE) -s $(PARALLEL) $(DEFOLD)/host LUA=lua5.1
	@$(MAKE) -s $(PARALLEL) $(defold_targets:%=$(DEFOLD)/%.txt) LUA=luajit
	@$(DEFOLD)/host spec/defold/play.lua $(DEFOLD)/project | tail -n 1 | $(must_be_expected)

$(DEFOLD)/here/%.o: $(DEFOLD)/project/broadside/src/%.c
	@mkdir -p $(@D)
	@$(defold_compile) $(LUA_CFLAGS) -c -o $@ $<

$(DEFOLD)/host: spec/defold/host.c $(call defold_objects,here)
	@$(defold_compile) $(LUA_CFLAGS) -c -o $@.o $<
	@clang++ -o $@ $@.o $(filter-out $<,$^) -l$(LUA) -lm

$(defold_targets:%=$(DEFOLD)/%.txt): $(DEFOLD)/%.txt: $(wildcard $(DEFOLD)/project/broadside/src/*.c)
	@for file in $^; do \
	    $(defold_compile) --target=$* -D__MM_MALLOC_H $(sdk) $(LUA_CFLAGS) -fsyntax-only $$file || exit 1; \
	done
	@echo compiled > $@

# --- tests of the packages ------------------------------------------------------------------------

# Each package is unpacked in an empty folder and played: on this machine, by qemu, and by Wine.
played := here arm64 windows macos ios android rock same
test-dist: $(played:%=test-dist-%) ## unpack and play all packages
packers := cc lua5.4 luajit zip unzip
luas := $(CURDIR)/build/luas
arm64_root := /usr/aarch64-linux-gnu
arm_root := /usr/arm-linux-gnueabi
on_arm64 := qemu-aarch64 -L $(arm64_root)
on_arm := qemu-arm -L $(arm_root)

test-dist-here: #: the package for x64 Linux, under Lua 5.4, 5.1, LuaJIT and LÖVE
	@tools/install.sh $(packers) lua5.1 love offscreen
	@$(MAKE) -s dist-zip
	@spec/dist/play.sh $(system) $(package).zip lua5.4 luajit lua5.1
	@rm -rf $(DIST)/game && mkdir -p $(DIST)/game && cp examples/starter/*.lua $(DIST)/game
	@cd $(DIST)/game && unzip -q $(CURDIR)/$(package).zip
	@spec/love/package.sh $(DIST)/game

# There LuaJIT's compiler fuses multiplications and additions of Lua code, in work.lua, too. So it
# is off.
test-dist-arm64: #: the package for ARM64 Linux, under Lua 5.4 and LuaJIT, built from Debian's source
	@tools/install.sh $(packers) gcc gcc-arm64 qemu-aarch64 dpkg-source
	@spec/dist/luas.sh arm64 build/luas-arm64
	@$(MAKE) -s dist-zip TARGET=gcc-arm64
	@spec/dist/play.sh linux-arm64 $(call package,linux-arm64).zip \
	    '$(on_arm64) $(luas)-arm64/lua54' '$(on_arm64) $(luas)-arm64/luajit51 -joff'

test-dist-windows: #: the package for Windows, in Wine, under Lua 5.4 and LuaJIT, built from source
	@tools/install.sh $(packers) gcc mingw64 wine64 dpkg-source
	@spec/dist/luas.sh windows build/luas-windows
	@$(MAKE) -s dist-zip TARGET=mingw64
	@spec/dist/play.sh windows-x64 $(call package,windows-x64).zip \
	    '/usr/lib/wine/wine64 $(luas)-windows/lua54.exe' \
	    '/usr/lib/wine/wine64 $(luas)-windows/luajit51.exe'

# A loader of our own runs the code for both processors here, that for ARM64 by qemu. LuaJIT raises
# errors through tables that this loader does not register, so Lua 5.1 plays the libraries for it.
MACHO := $(CURDIR)/build/macho
macho := -std=c11 -O1 -fPIC -shared spec/dist/macho.c -ldl -o
as_macos := -e dofile('$(CURDIR)/spec/dist/macos.lua')
test-dist-macos: #: check the package for macOS, and play its code under Lua 5.4 and 5.1
	@tools/install.sh $(packers) gcc lua5.1 macos gcc-arm64 qemu-aarch64 dpkg-source
	@spec/dist/luas.sh arm64 build/luas-arm64
	@$(MAKE) -s dist-zip TARGET=macos
	@mkdir -p $(MACHO)
	@set -e; for lua in lua5.4 lua5.1; do \
	    gcc $(macho) $(MACHO)/$$lua.so $$(tools/lua_cflags.sh $$lua); \
	done; aarch64-linux-gnu-gcc $(macho) $(MACHO)/lua54-arm64.so -Ibuild/luas-arm64/lua/source/src
	@spec/dist/play.sh macos $(call package,macos).zip \
	    "env MACHO=$(MACHO)/lua5.4.so lua5.4 $(as_macos)" \
	    "env MACHO=$(MACHO)/lua5.1.so lua5.1 $(as_macos)" \
	    "$(on_arm64) -E MACHO=$(MACHO)/lua54-arm64.so $(luas)-arm64/lua54 $(as_macos)"

# LuaJIT and Lua 5.1 stand for LÖVE: the libraries' code runs here with another C library.
test-dist-android: #: check the package for Android, and play it under Linux, by qemu for ARM
	@tools/install.sh $(packers) gcc android gcc-arm64 gcc-armel qemu-aarch64 qemu-arm dpkg-source
	@spec/dist/luas.sh arm64 build/luas-arm64
	@spec/dist/luas.sh armel build/luas-armel
	@$(MAKE) -s dist-android TARGET=android
	@spec/dist/play_android.sh $(call package,android).zip \
	    'x86_64=/lib/x86_64-linux-gnu=env $(apk_path) luajit' \
	    'arm64-v8a=$(arm64_root)/lib=$(on_arm64) -E $(apk_path) $(luas)-arm64/luajit51 -joff' \
	    'armeabi-v7a=$(arm_root)/lib=$(on_arm) -E $(apk_path) $(luas)-armel/lua51'
apk_path := LD_LIBRARY_PATH=@LIBRARIES@

test-dist-ios: #: make and check the archive for iOS
	@tools/install.sh ios luajit
	@$(MAKE) -s $(PARALLEL) archive LUA=luajit TARGET=ios
	@tools/check_archive.sh $(call llvm,nm) build/ios-luajit/libbroadside.a

test-dist-rock: #: the source rock, installed by LuaRocks without a network for Lua 5.1 to 5.4
	@tools/install.sh gcc luarocks lua5.1 lua5.2 lua5.3 lua5.4 luajit zip
	@tools/check_rock.sh gcc 5.1 lua5.1 luajit
	@for version in 5.2 5.3 5.4; do tools/check_rock.sh gcc $$version lua$$version || exit 1; done

test-dist-same: dist #: make the packages of the last commit again in another folder, and compare the bytes
	@rm -rf $(DIST)/same && git clone -q . $(DIST)/same
	@$(MAKE) -s -C $(DIST)/same dist >/dev/null
	@for file in $(DIST)/*.zip $(DIST)/*.rock; do cmp $$file $(DIST)/same/$$file || exit 1; done
	@echo 'the same bytes in another folder'

in_wine := env WINEPREFIX=$(CURDIR)/build/wine WINEDEBUG=-all /usr/lib/wine/wine64
check-windows: #: run the core's tests as Windows programs, in Wine
	@tools/install.sh luajit mingw64 wine64
	@$(MAKE) -s $(PARALLEL) build/mingw64-core/backend_test2 build/mingw64-core/backend_test3 \
	    LUA=luajit TARGET=mingw64
	@for dim in 2 3; do \
	    $(in_wine) build/mingw64-core/backend_test$$dim.exe $(ROUNDS) || exit 1; \
	done
