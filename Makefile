# Everything that a newcomer or CI runs. `make demo` and `make test` work as the first command on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := .build

.PHONY: all build demo test soak fuzz sanitize lint check goldens bench install clean dependencies

all: build

dependencies:
	@scripts/dependencies

build: dependencies
	$(SWIFT) build

# The main job: replay a scenario and print its timeline.
demo: build
	$(BUILD)/debug/callsim replay Scenarios/early-answer.call

test: dependencies
	$(SWIFT) test --disable-xctest

# Random orders of everything that everyday calls do; a failure names its seed, and `SEED=n make soak` plays that alone
# and prints its timeline. Every order of what can happen to a transfer; `ORDER=n make soak` plays the one of that number.
# Optimised, in a build of its own: the tests reach into the modules.
RUNS ?= 10000
SEED ?=
ORDER ?=
SOAKED := $(if $(SEED),EverydayOrdersTests,$(if $(ORDER),TransferOrdersTests,Every(dayOrders|Input)Tests|TransferOrdersTests))
soak: dependencies
	CALLSIM_ORDERS=$(RUNS) CALLSIM_SEED=$(SEED) CALLSIM_ORDER=$(ORDER) $(SWIFT) test -c release \
	  -Xswiftc -enable-testing --disable-xctest --scratch-path $(BUILD)/soak --filter '$(SOAKED)'

# Changed messages of the corpus; a failure names its seed, and `SEED=n make fuzz` tries that alone.
FUZZ ?= 300000
fuzz: dependencies
	CALLSIM_FUZZ=$(FUZZ) CALLSIM_SEED=$(SEED) $(SWIFT) test -c release -Xswiftc -enable-testing --disable-xctest \
	  --scratch-path $(BUILD)/soak --filter MessageFuzzTests

# Everything that parses SIP, and all scenarios, under the address sanitizer.
sanitize: dependencies
	$(SWIFT) test --disable-xctest --sanitize=address --scratch-path $(BUILD)/sanitize \
	  --filter 'SIPTests|ShippedScenarioTests'

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks Package.swift
	scripts/soundness

check: test lint

# Writes the timelines beside the scenarios anew; read the difference before you commit it.
goldens: dependencies
	UPDATE_GOLDEN=1 $(SWIFT) test --disable-xctest --filter GoldenTests

bench: dependencies
	$(SWIFT) build -c release
	$(BUILD)/release/callsim-benchmark

install: dependencies
	$(SWIFT) build -c release --product callsim
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(BUILD)/release/callsim "$(DESTDIR)$(PREFIX)/bin/callsim"

clean:
	rm -rf $(BUILD)
