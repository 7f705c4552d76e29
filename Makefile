# Everything that a person does here is one of these. “make demo” and “make test” need only Swift 6.3 and Debian 12.

SHELL := /bin/bash
SETUP ?= yes
ONCE ?=
export SWIFT_BACKTRACE ?= enable=no

.PHONY: help demo test build setup-build setup-test lint format bench bench-ears fuzz-api torture sanitize clean

help: ## List these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: build ## Run everything on this machine: post a payment, hear it (ONCE=1 ends by itself)
	.build/release/aloud demo $(if $(ONCE),--once) --output demo

test: setup-test ## Build and run all tests
	Tools/test

build: setup-build ## Build .build/release/aloud
	Tools/headers .build
	swift build -c release --static-swift-stdlib --product aloud

setup-build:
	@[ "$(SETUP)" = no ] || Tools/setup build

setup-test:
	@[ "$(SETUP)" = no ] || Tools/setup test

lint: ## Check the formatting of all Swift files
	swift format lint --strict --parallel -r Package.swift Sources Tests

format: ## Format all Swift files
	swift format format -i --parallel -r Package.swift Sources Tests

bench: build ## Print figures beside their peers' and the floor
	.build/release/aloud bench reading
	.build/release/aloud bench sound
	.build/release/aloud bench doctor
	.build/release/aloud bench sender
	Tools/bench/with-postgres .build/release/aloud bench server

bench-ears: build ## Let Whisper listen to the Mandarin pack (optional, from PyPI)
	Tools/ears/bench

fuzz-api: build ## Let schemathesis and aioapns (PyPI) try server and sandbox (optional)
	Tools/api/check

torture: build setup-test ## Kill the server 200 times for each database, share 100,000 events (half an hour)
	Tools/torture

sanitize: setup-test ## Run the server's tests under the thread and address sanitizers
	Tools/sanitize

clean: ## Remove what was built
	rm -rf .build .build-* demo
