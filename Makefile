# `make help` lists what there is. Every target runs on a fresh clone.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Nothing here needs the state of git, which a fresh clone owned by another user refuses.
export GOFLAGS += -buildvcs=false

OTEL_VERSION := v0.161.0
LINT_VERSION := v2.15.0
OCB  := go run go.opentelemetry.io/collector/cmd/builder@$(OTEL_VERSION)
LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

BIN    := dist/otelcol-workers
CONFIG ?= config/default.yaml

# The modules: what people build on, whose tests run with the race detector;
# others whose tests need no built collector; and those whose tests do. The last
# keep what needs it behind testing.Short, so that `make test` runs the rest.
CORE  := . $(patsubst %/go.mod,%,$(wildcard workersdk/go.mod examples/go-worker/go.mod))
LIGHT := $(patsubst %/go.mod,%,$(wildcard bench/go.mod e2e/basicauth/go.mod))
HEAVY := $(patsubst %/go.mod,%,$(wildcard e2e/go.mod promtest/go.mod examples/e2e/go.mod))

TEST_TIMEOUT ?= 20m
E2E_TIMEOUT  ?= 30m
FUZZTIME     ?= 20s
RUN          ?= .

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Build if needed, start the collector on config/default.yaml
	@./internal/tools/run.sh $(BIN) $(CONFIG)

.PHONY: build
build: $(BIN) ## Build dist/otelcol-workers with ocb

SOURCES := go.mod go.sum builder-config.yaml $(shell find internal processor receiver -name '*.go' -not -name '*_test.go' 2>/dev/null)

$(BIN): $(SOURCES)
	@echo "Building $(BIN); the first time this fetches and compiles the collector, which takes a few minutes."
	$(OCB) --config=builder-config.yaml

.PHONY: test
test: ## Everything that needs no built collector, with the race detector where it matters
	@for m in $(CORE); do (echo "test $$m"; cd $$m && go test -race -timeout $(TEST_TIMEOUT) -run '$(RUN)' ./...); done
	@for m in $(LIGHT) $(HEAVY); do (echo "test $$m"; cd $$m && go test -short -timeout $(TEST_TIMEOUT) -run '$(RUN)' ./...); done

.PHONY: e2e
e2e: build ## Everything that needs the built collector: real workers that really die
	@./internal/tools/install.sh
	@for m in $(HEAVY); do (echo "e2e $$m"; cd $$m && go test -count=1 -timeout $(E2E_TIMEOUT) -run '$(RUN)' ./...); done

.PHONY: chaos
chaos: build ## Kill -9 the collector 60 times while workers push and die; nothing is lost
	@cd e2e && CHAOS_KILLS=60 CHAOS_SEED=$$RANDOM go test -count=1 -v -timeout 20m -run TestChaos .

.PHONY: soak
soak: ## A million lives that come, count and vanish: the heap stays what it was
	SOAK_LIVES=1000000 go test -count=1 -v -timeout 30m -run TestSoak ./processor/deadworkerretain/internal/core

.PHONY: demo
demo: build ## See it: workers die, three totals side by side; writes docs/demo.svg
	@mkdir -p docs
	@cd e2e && go run ./cmd/demo -svg $(CURDIR)/docs/demo.svg

.PHONY: fuzz
fuzz: ## Run every fuzz test for FUZZTIME (20s)
	@./internal/tools/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: build ## Measure against the peers, about ten minutes; BENCH=-quick: one minute
	@cd bench && go run ./cmd/bench $(BENCH)

.PHONY: generate
generate: ## Generate code and documentation from metadata.yaml
	go generate ./...

.PHONY: lint
lint: ## Vet and golangci-lint over all modules
	@for m in $(CORE) $(LIGHT) $(HEAVY); do echo "lint $$m"; (cd $$m && go vet ./... && $(LINT) run --allow-parallel-runners ./...); done

.PHONY: dist
dist: ## Release archives for Linux, checksums and licences, into dist/release
	@./packaging/dist.sh

.PHONY: clean
clean: ## Remove what was built and what `make run` has stored
	rm -rf dist data .cache
