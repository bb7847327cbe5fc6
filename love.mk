# love.mk: Broadside in LÖVE: the examples, a game to start from, and their tests. The Makefile
# includes it.

.PHONY: love love-package test-love pictures map-pictures

LOVE := build/love
PACKAGE := build/love-package
# The examples that the README shows in motion.
films := platformer barrage
examples := menu platformer topdown cannon bounce barrage rollback swarm marbles billiards pinball jar dig rooms sandbox area hero party

# LÖVE runs LuaJIT.
build_luajit = $(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
in_lua = eval "$$(tools/env.sh build/$(1) $(1))"

love: ## install what is missing, build for LuaJIT and open the menu of examples in LÖVE
	@tools/install.sh cc luajit love
	@$(build_luajit)
	@$(call in_lua,luajit); love examples

love-package: #: lay out a LÖVE game with Broadside in build/love-package (TARGET=mingw64: for Windows)
	@tools/install.sh cc luajit $(TARGET)
	@mkdir -p $(PACKAGE)
	@cp examples/starter/*.lua $(PACKAGE)
	@$(MAKE) -s $(PARALLEL) lay-out LUA=luajit WERROR= INTO=$(PACKAGE)/broadside
	@echo "$(PACKAGE) runs in LÖVE: see doc/ship.md"

# Plays each example in LÖVE, and then without it: the states at the end must be the same. Also
# plays the tutorial's game.
test-love: ## play every example and recipe in LÖVE without a display, compare with Lua
	@tools/install.sh cc luajit lua5.4 love offscreen zip
	@$(build_luajit)
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@mkdir -p $(LOVE)
	@$(MAKE) -s love-package TARGET= >/dev/null
	@$(call in_lua,luajit); SDL_VIDEODRIVER=offscreen love spec/love/draw
	@$(call in_lua,luajit); SDL_VIDEODRIVER=offscreen love spec/love/debug $(LOVE)/debug.png
	@status=0; spec/love/package.sh $(PACKAGE) || status=1; \
	mkdir -p $(LOVE)/tutorial-game && lua5.4 spec/love/tutorial.lua $(LOVE)/tutorial-game || status=1; \
	mkdir -p $(LOVE)/topdown-page && lua5.4 spec/love/page_game.lua doc/topdown.md \
	    spec/love/topdown_check.lua $(LOVE)/topdown-page || status=1; \
	$(call in_lua,luajit); SDL_VIDEODRIVER=offscreen \
	    timeout 60 love $(LOVE)/tutorial-game $(LOVE)/tutorial.png || status=1; \
	SDL_VIDEODRIVER=offscreen timeout 60 \
	    love $(LOVE)/topdown-page $(LOVE)/topdown-page.png || status=1; \
	for name in $(examples); do spec/love/compare.sh $$name $(LOVE) || status=1; done; \
	    exit $$status

pictures: test-love $(films:%=film-%) drawings #: renew the pictures in doc/pictures from a run of the tests
	@tools/install.sh pngquant
	@for name in $(examples) tutorial topdown-page debug; do \
	    pngquant --force --strip --speed 1 --output doc/pictures/$$name.png $(LOVE)/$$name.png; \
	done

# Runs the editor Tiled, and the games of doc/tiled.md and doc/ldtk.md with maps from doc/maps. STI
# draws the one, json.lua reads the other; both are by other people.
MAPS := $(LOVE)/maps
map-pictures: #: renew the pictures of doc/tiled.md and ldtk.md (STI=folder/sti JSON=folder/json.lua)
	@[ -e '$(STI)/init.lua' ] && [ -e '$(JSON)' ] || { echo "say where others' modules are:" \
	    "make map-pictures STI=folder/sti JSON=folder/json.lua"; exit 1; }
	@tools/install.sh cc luajit lua5.4 love offscreen tiled Xvfb xdotool import pngquant
	@$(build_luajit)
	@rm -rf $(MAPS) && mkdir -p $(MAPS)/tiled $(MAPS)/ldtk
	@cp doc/maps/* $(MAPS)/tiled && cp doc/maps/* $(MAPS)/ldtk
	@cp -R '$(STI)' $(MAPS)/tiled/sti && cp '$(JSON)' $(MAPS)/ldtk/json.lua
	@cd $(MAPS)/tiled && export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$$PWD && \
	    chmod 700 . && \
	    tiled --export-map --embed-tilesets lua cave.tmx cave.lua
	@for name in tiled ldtk; do \
	    lua5.4 spec/love/page_game.lua doc/$$name.md spec/love/$${name}_check.lua $(MAPS)/$$name \
	        || exit 1; \
	done
	@$(call in_lua,luajit); export SDL_VIDEODRIVER=offscreen; \
	    love $(MAPS)/tiled $(MAPS)/tiled-game.png $(MAPS)/tiled-boxes.png && \
	    love $(MAPS)/ldtk $(MAPS)/ldtk-game.png $(MAPS)/ldtk-boxes.png
	@tools/tiled_pictures.sh $(MAPS)
	@for path in $(MAPS)/*.png; do \
	    pngquant --force --strip --speed 1 --output doc/pictures/$${path##*/} $$path; \
	done

# Draws every fourth frame: 15 in a second.
film-%: test-love
	@tools/install.sh ffmpeg
	@rm -rf $(LOVE)/$*-film && mkdir -p $(LOVE)/$*-film doc/pictures
	@$(call in_lua,luajit); SDL_VIDEODRIVER=offscreen \
	    love spec/love $* $(LOVE)/$*-film/last.png $(LOVE)/$*-film >/dev/null
	@ffmpeg -v error -y -framerate 15 -i $(LOVE)/$*-film/%03d.png -plays 0 -f apng -filter_complex \
	    'scale=-2:320:flags=area,split[a][b];[a]palettegen=96:0[p];[b][p]paletteuse=dither=none' \
	    doc/pictures/$*-film.png
	@du -h doc/pictures/$*-film.png
