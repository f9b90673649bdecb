# Everything a checkout needs goes through .venv: `make play` makes it with what running needs, `make
# test` and the other targets for those who work on Parlour add what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
READ := $(VENV)/.read
# The pip of that Python, if it has one: a copy in .venv would take a fifth of the room and the time.
OUTER = $(eval OUTER := $$(shell $(PYTHON) -m pip --python "$$$$(command -v $(PYTHON))" --version 2>/dev/null))$(OUTER)
PIP = $(if $(OUTER),$(PYTHON) -m pip --python $(BIN)/python,$(BIN)/python -m pip) \
    install --quiet --disable-pip-version-check
LOCKED = $(PIP) --require-hashes -r
# Many a container sets this; each of the hundred processes that a run of the tests starts would then
# compile every module anew, which takes it half a second.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: install extras traces play test quick check quick-tests mutants unit coverage long release image-check format pages pictures reference font words lock bench hostile ladder puzzles prove crash power fuzz faults month perft soak referee conformance clean help

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

install: $(RUN) ## Make .venv and install what running Parlour needs

extras: $(RUN) ## Add what PostgreSQL and all names in Chinese, Japanese and Korean need
	$(LOCKED) locks/extras.txt
	$(BIN)/python -m renderers.fonts.noto

traces: $(RUN) ## Add what traces for OpenTelemetry need
	$(LOCKED) locks/traces.txt

# The same for those who have no make: python play.py
$(RUN): locks/run.txt locks/build.txt pyproject.toml
	@$(PYTHON) play.py --install

# Compiled here, since a warning of a compiler would fail the test that uses a module first; but for
# what no test imports, a third of it all.
$(DEV): $(RUN) locks/dev.txt
	$(LOCKED) locks/dev.txt --no-compile
	$(BIN)/python -W ignore -m compileall -qq -j 0 -x '/(mypy|mypyc|lexers|tests)/' $(VENV)/lib || true
	touch $@

play: install ## Start the bot; without DISCORD_TOKEN, in a Discord of your own on this machine
	@$(BIN)/parlour

# Side by side: mypy keeps one processor busy while the tests are still being read.
test: $(DEV) ## Check the code and run the tests
	$(MAKE) --no-print-directory --jobs 2 check unit

quick: $(DEV) ## For daily work: check the code and run the quick tests, in a minute and a half
	$(MAKE) --no-print-directory --jobs 2 check quick-tests

# The tests of the features, each in the folder of its name.
FEATURES := $(addprefix tests/,connection history computers lobby plans follows learn webhooks tournaments \
    servers privacy profiles owner site)

# Rules, matches, services on SQLite, features and pages, with few random games and examples. What needs
# a running bot, a browser, other processes or another database, and what takes seconds, is for `make
# test`.
quick-tests: $(DEV)
	PARLOUR_GAMES=1 PARLOUR_EXAMPLES=2 $(BIN)/python -m pytest -q -n 2 -m "not (slow or first or long or browser or postgres)" \
	    tests/games tests/domain tests/services tests/pages $(FEATURES) --ignore tests/tournaments/swiss

# What runs in a browser or under Node.
SCRIPTS = playground/page/static/*.js bot/ui/web/templates/*.js tests/conformance/discord_js/*.js

check: $(DEV) ## Check the code: format, lint, types and who may import what
	$(BIN)/ruff format --check .
	$(BIN)/oxfmt --check $(SCRIPTS)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Databases are synced to the disk at every step; where memory has room for them, that takes no time.
IN_MEMORY = $(shell df --output=avail -k /dev/shm 2>/dev/null | awk 'NR > 1 && $$1 > 4000000 {print "TMPDIR=/dev/shm"}')

# Some tests wait for a browser or for another process, so more run at once than there are processors.
# Each more would read all tests once more, a quarter of a minute of a processor.
unit: $(READ) ## Run the tests
	$(IN_MEMORY) $(BIN)/python -m pytest -n 4 --dist loadgroup -m "not long"

long: $(READ) ## Run the tests that take long, before a release and every week
	$(IN_MEMORY) $(BIN)/python -m pytest -n 3 --dist loadgroup -m long

# Reading a test for the first time takes pytest three times as long as later, and each of the four
# processes would do so at the same moment.
$(READ): $(DEV)
	$(BIN)/python -m pytest --collect-only --quiet >/dev/null 2>&1 || true
	touch $@

release: test ## Check, then build the wheel, the list of what it needs, and the image where one can be built
	$(BIN)/python deploy/release.py $(if $(OUTER),$(PYTHON),$(BIN)/python)

image-check: ## Build the image, or carry out its instructions in a folder, and play in it
	$(PYTHON) deploy/image_check.py

ONLY ?=
mutants: $(DEV) ## Break the product in a hundred places; the tests notice each (make mutants ONLY=clock)
	$(BIN)/python -m tests.mutants --jobs 2 --only "$(ONLY)"

# That tests run every line and branch of the rules and of matches, and pass. Matches are also tested
# where services carry them out; few random games suffice.
coverage: $(DEV) ## Prove that tests run every line and branch of the rules and of matches
	$(BIN)/coverage erase
	PARLOUR_GAMES=20 $(BIN)/coverage run --source=games,bot.domain,bot.plans.domain,bot.learn.domain,bot.webhooks.domain,bot.tournaments.domain -m pytest -n 2 -p no:randomly --timeout 0 -m "not postgres" tests/games tests/domain tests/services $(FEATURES) tests/engines/test_proofs.py
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --show-missing --precision=2 --fail-under=100

format: $(DEV) ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/oxfmt $(SCRIPTS)
	$(BIN)/ruff check --fix .

bench: $(DEV) ## Measure against named references; results in benchmarks/results
	$(LOCKED) locks/bench.txt
	for each in rules picture move way_of_a_move latency processes scale tournaments opponents; do $(BIN)/python -m benchmarks.$$each || failed="$$failed $$each"; done; \
	    test -z "$$failed" || { echo "out of bounds:$$failed"; exit 1; }

hostile: $(DEV) ## Let strangers do their worst to a bot: memory, processor time, pauses of its loop
	$(BIN)/python -m benchmarks.hostile

GAMES ?= 200
LADDERS := "quax --option size=9 --option pie=off" "quux --option supply=paired" \
    "ziggurat --plies 4" "pux --plies 4" "pythagoras --option seats=2 --plies 4"
ladder: $(DEV) ## Measure the levels of the computer opponents (make ladder GAMES=40)
	for each in $(LADDERS); do \
	    $(BIN)/python -m engines ladder --game $$each --games $(GAMES) --references || exit 1; done

VOLUME ?= 2
MORE := var/puzzles
puzzles: $(DEV) ## Make a volume of new puzzles from games that engines play (make puzzles SEED=2 VOLUME=2)
	mkdir -p $(MORE)
	$(BIN)/python -m engines match 4 4 --game quax --option size=6 --option pie=off --games 200 --seed $(SEED) --records $(MORE)/quax.jsonl
	$(BIN)/python -m engines match 4 3 --game quux --option supply=paired --games 200 --seed $(SEED) --records $(MORE)/quux.jsonl
	$(BIN)/python -m engines match 5 4 --game ziggurat --plies 4 --games 200 --seed $(SEED) --records $(MORE)/ziggurat.jsonl
	$(BIN)/python -m engines match 3 2 --game pux --plies 4 --games 60 --seed $(SEED) --records $(MORE)/pux.jsonl
	$(BIN)/python -m engines match 3 2 --game pythagoras --option seats=2 --plies 4 --games 60 --seed $(SEED) --records $(MORE)/pythagoras.jsonl
	$(BIN)/python -m engines puzzles --game quax --option size=6 --option pie=off --games 200 --records $(MORE)/quax.jsonl > $(MORE)/quax.new
	$(BIN)/python -m engines puzzles --game quux --option supply=paired --games 200 --records $(MORE)/quux.jsonl > $(MORE)/quux.new
	$(BIN)/python -m engines puzzles --game ziggurat --games 200 --records $(MORE)/ziggurat.jsonl > $(MORE)/ziggurat.new
	$(BIN)/python -m engines puzzles --game pux --within 1 --games 200 --records $(MORE)/pux.jsonl > $(MORE)/pux.new
	$(BIN)/python -m engines puzzles --game pythagoras --option seats=2 --within 4 --games 200 --records $(MORE)/pythagoras.jsonl > $(MORE)/pythagoras.new
	$(BIN)/python -m engines volume $(MORE)/*.new > $(MORE)/volume.new
	mv $(MORE)/volume.new engines/puzzle_data/$(VOLUME).jsonl

prove: $(DEV) ## Prove all puzzles anew by the rules alone
	$(BIN)/python -m engines check

N ?= 100
SEED ?= 1
crash: $(DEV) ## Kill the bot N times at the named points of a move, and N times at random, one to four processes (make crash N=1000)
	PARLOUR_SEED=$(SEED) PARLOUR_CRASHES=$$(( ($(N) + 1) / 2 )) PARLOUR_KILLS=$$(( ($(N) + 3) / 4 )) $(BIN)/python -m pytest tests/e2e/test_crash.py tests/e2e/test_random_kills.py -n 2 --timeout 0

power: $(DEV) ## Cut the power N times while matches are played, on Linux with strace (make power N=1000)
	$(IN_MEMORY) PARLOUR_SEED=$(SEED) PARLOUR_POWER_CUTS=$(N) $(BIN)/python -m pytest tests/store/test_power_cuts.py

FUZZ ?= 1000000
fuzz: $(DEV) ## Have the bot handle random interactions, most of them spoilt, and as many that come again and late (make fuzz FUZZ=10000 SEED=7)
	$(IN_MEMORY) PARLOUR_SEED=$(SEED) PARLOUR_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/app/bad_input/test_random.py tests/app/test_random_deliveries.py

STORMS ?= 20
faults: $(DEV) ## Play matches while the network and Discord fail at random (make faults STORMS=100 SEED=7)
	PARLOUR_SEED=$(SEED) PARLOUR_STORMS=$(STORMS) $(BIN)/python -m pytest tests/app/test_fault_storms.py -n 2 --timeout 0

PLAYERS ?= 200
MATCHES ?= 1000
ON ?=
month: $(DEV) ## Play a month in virtual time and check it (make month SEED=2 PLAYERS=40 MATCHES=200 ON=--postgres)
	$(BIN)/python -m tests.simulation --seed $(SEED) --players $(PLAYERS) --matches $(MATCHES) $(ON)

perft: $(DEV) ## Count move sequences as deep as the rules pages do
	PARLOUR_PERFT=deep $(BIN)/python -m pytest tests/games -k perft --timeout 0

soak: $(DEV) ## Play many more games and lives of matches, also on PostgreSQL; or play for so many seconds at 20 moves a second (make soak SECONDS=3600)
ifdef SECONDS
	$(BIN)/python -m benchmarks.latency --seconds $(SECONDS)
else
	PARLOUR_GAMES=20000 $(BIN)/python -m pytest tests/games -n 2 --timeout 0 -k conformance
	PARLOUR_ENGINE_GAMES=50 $(BIN)/python -m pytest tests/engines/test_engine.py -n 2 --timeout 0 -k "legal or said"
	PARLOUR_EXAMPLES=300 $(BIN)/python -m pytest tests/services tests/plans tests/tournaments -n 2 --timeout 0 -k machine
	PARLOUR_SOAK=1 $(BIN)/python -m pytest tests/services tests/app $(FEATURES) -n 2 --dist loadgroup -m postgres
	PARLOUR_SOAK=1 $(BIN)/python -m pytest tests/tournaments/swiss -n 2
endif

PLIES ?= 1000000
referee: $(DEV) ## Compare the line protocol with independent referees (make referee PLIES=1000000 GAME=pux)
	$(BIN)/python -m tests.referees $(GAME) --plies $(PLIES)

conformance: $(DEV) ## Let hikari and discord.js log in to the playground
	$(PYTHON) -m venv $(VENV)/conformance
	$(VENV)/conformance/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r locks/conformance.txt
	npm ci --silent --prefix tests/conformance/discord_js
	PARLOUR_HIKARI_PYTHON=$(VENV)/conformance/bin/python $(BIN)/python -m pytest tests/conformance/other_clients.py

UV := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11

pages: $(DEV) ## Write tests/pages/golden again: each page of the bot as text, to be read as a diff
	$(BIN)/python -m tests.pages

pictures: $(DEV) ## Draw the pictures of the documentation again
	$(BIN)/python docs/pictures/draw.py

reference: $(DEV) ## Write tests/reference again from the originals (make reference FROM=folder)
	$(BIN)/python -m tests.reference $(FROM)

font: $(DEV) ## Make the shipped font for Japanese again
	$(BIN)/python -m renderers.fonts.noto
	$(PIP) fonttools==4.68.0
	$(BIN)/python docs/font.py

words: $(DEV) ## Bring all catalogues up to date, or start one (make words LANGUAGE=nl)
	$(BIN)/python -m bot.i18n.extract $(LANGUAGE)

lock: $(DEV) ## Rewrite the lock files from pyproject.toml
	$(PIP) uv
	$(UV) pyproject.toml --group dev -o locks/dev.txt
	$(UV) pyproject.toml -c locks/dev.txt -o locks/run.txt
	$(UV) --group extras -c locks/dev.txt -o locks/extras.txt
	$(UV) --group traces -c locks/dev.txt -o locks/traces.txt
	$(UV) --group build -c locks/dev.txt -o locks/build.txt
	$(UV) --group bench -c locks/dev.txt -o locks/bench.txt
	$(UV) --group conformance -o locks/conformance.txt

clean: ## Remove what make made
	rm -rf $(VENV) .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis
