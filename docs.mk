# docs.mk: annotations for language servers, and pages made from them. Included by the Makefile.

.PHONY: types docs

DOCS := build/docs
annotations := types/library/broadside

types: ## make the 3D half of the annotations in types/ from the 2D half
	@tools/install.sh lua5.4
	@lua5.4 tools/types3d.lua $(annotations)/2d.lua > $(annotations)/3d.lua

docs: ## make the pages of the API from the annotations, with LDoc, in build/docs
	@tools/install.sh ldoc lua5.1
	@rm -rf $(DOCS) && mkdir -p $(DOCS)/source
	@LUA_PATH='./?.lua;;' lua5.1 tools/ldoc_source.lua $(DOCS)/source
	@lua5.1 "$$(command -v ldoc)" --fatalwarnings --format markdown --project Broadside \
	    --title 'Broadside: the API' --dir $(DOCS)/html $(DOCS)/source
