# Everything that a newcomer or CI runs. `make demo` and `make test` work as the first command on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := .build

.PHONY: all build demo test flows torture soak fuzz oracle sanitize lint check goldens bench install clean dependencies

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

# The call flows of the RFCs with the user agent in the place of one party each: what passes, in part, or cannot be
# played, and why. The torture messages of RFC 4475 and RFC 5118: what is made of each.
flows: TABLE := CALLSIM_FLOWS
flows: TABLED := CallFlowTests
torture: TABLE := CALLSIM_TORTURE
torture: TABLED := MessageTortureTests
flows torture: dependencies
	@mkdir -p $(BUILD) && rm -f $(BUILD)/$@.txt
	@$(TABLE)="$(CURDIR)/$(BUILD)/$@.txt" $(SWIFT) test --disable-xctest --filter $(TABLED) \
	  >$(BUILD)/$@.log 2>&1; \
	  status=$$?; \
	  if [ -f $(BUILD)/$@.txt ]; then cat $(BUILD)/$@.txt; else cat $(BUILD)/$@.log; fi; \
	  exit $$status

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

# Our SIP transactions beside libosip2's, event by event: one line a class of event sequences, and what differs on purpose.
oracle: dependencies
	@$(SWIFT) build -c release --product callsim-oracle >&2
	@$(BUILD)/release/callsim-oracle

# Changed messages of the corpus; a failure names its seed, and `SEED=n make fuzz` tries that alone.
FUZZ ?= 300000
fuzz: dependencies
	CALLSIM_FUZZ=$(FUZZ) CALLSIM_SEED=$(SEED) $(SWIFT) test -c release -Xswiftc -enable-testing --disable-xctest \
	  --scratch-path $(BUILD)/soak --filter MessageFuzzTests

# Everything that parses SIP, and all scenarios as they are, under the address sanitizer.
sanitize: dependencies
	$(SWIFT) test --disable-xctest --sanitize=address --scratch-path $(BUILD)/sanitize \
	  --filter 'SIPTests|TransactionOracleTests|ShippedScenarioTests' --skip MutationTests

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks Oracle Package.swift
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
