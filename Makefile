# The two commands to know (both install what is missing first):
#   make demo          builds everything and runs the main job
#   make test          builds everything and runs every test; ONLY=pattern picks files by name
# Others:
#   make (all)         the C library, its compiled functions in scripts/
#   make deps          installs missing system packages (see .ci/setup)
#   make check         lint, the C tests under sanitizers and valgrind, hostile files
#   make bench         measures; QUICK=1 for a subset, PYTHON=... for the python3 that has torch
#   make lint, format  rules of the source tree; rewrites C files to the house style
#   make fuzz          each fuzz target for FUZZ_SECONDS
#   make check-gpt2    figures of the real GPT-2, where it has been downloaded
#   make gallery       draws the pictures of examples/gallery anew
#   make mini          makes the bundled model again, from nothing (most of an hour)
#   make clean
# Variables: CC, CFLAGS (optimisation, debugging), BUILD (output folder), OCTAVE, MKOCTFILE,
#            SANITIZE=1 (AddressSanitizer, UndefinedBehaviorSanitizer), WERROR=1, JOBS,
#            V=1 (prints the commands).

OCTAVE    ?= octave-cli
MKOCTFILE ?= mkoctfile
PYTHON    ?= python3
BUILD     ?= build
CFLAGS    ?= $(if $(SANITIZE),-O1,-O3) -g
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
export OCTAVE MKOCTFILE PYTHON QUICK ONLY JOBS BUILD

# Targets that install first and then call make again, so that what was just installed is found.
FRONT     := demo test check check-gpt2 bench fuzz gallery mini
# Targets that compile nothing themselves.
PLAIN     := deps lint format clean $(FRONT)
PARALLEL   = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
AGAIN      = $(MAKE) --no-print-directory $(PARALLEL)

# Objects of test programs stay for the next build.
.SECONDARY:
.PHONY: all core c-tests deps lint format clean $(FRONT) $(FRONT:%=run-%)
all:

# ---- front door -----------------------------------------------------------------------------------
deps:
	.ci/setup run test check

demo:
	@.ci/setup run
	@$(AGAIN) run-demo

test:
	@.ci/setup run test
	@$(AGAIN) run-test

bench check-gpt2 gallery mini:
	@.ci/setup run
	@$(AGAIN) run-$@

fuzz:
	@.ci/setup run check
	@$(AGAIN) run-$@ CC=clang BUILD=build/fuzz SANITIZE=fuzzer

# One process a build: each has its own folder, compiler and flags.
check:
	@.ci/setup run test check
	tests/lint
	$(AGAIN) run-c-tests WERROR=1 SANITIZE=1 BUILD=build/sanitize
	$(AGAIN) run-valgrind
	$(AGAIN) core c-tests WERROR=1 CC=clang BUILD=build/clang
	$(AGAIN) run-seeds CC=clang BUILD=build/fuzz SANITIZE=fuzzer

lint:
	@.ci/setup check
	tests/lint

C_FILES = $(wildcard include/*/*.h src/*/*.[ch] src/*/*/*.[ch] mex/*.[ch] mex/*.cc tests/c/*.[ch] \
            tests/c/*/*.[ch] bench/*.[ch])
format:
	clang-format -i $(C_FILES)

clean:
	rm -rf build bench/results.json examples/output
	find scripts -name '*.mex' -delete

ifneq ($(filter-out $(PLAIN),$(or $(MAKECMDGOALS),all)),)
# ---- flags ----------------------------------------------------------------------------------------
PACKAGES  := openblas libcjson libutf8proc
NEEDED    := $(PACKAGES) $(if $(filter %tests run-test run-valgrind,$(MAKECMDGOALS)),cmocka)
missing   := $(strip $(foreach p,$(NEEDED),$(shell pkg-config --exists $(p) || echo $(p))))
ifneq ($(missing),)
$(error pkg-config does not find $(missing): `make deps` installs what is needed)
endif
LIB_CFLAGS := $(shell pkg-config --cflags $(PACKAGES))
LIB_LIBS   := $(shell pkg-config --libs $(PACKAGES)) -lm

WARNINGS  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
             -Werror=implicit-function-declaration $(if $(WERROR),-Werror)
# -fexceptions: an Octave error passes through C frames as a C++ exception.
BASE_C    := -std=c11 -fPIC -fexceptions -pthread -MMD -MP -Iinclude -Isrc
ifdef SANITIZE
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
BASE_C    += $(SAN_FLAGS) $(if $(filter fuzzer,$(SANITIZE)),-fsanitize=fuzzer-no-link)
endif
COMPILE    = $(CC) $(BASE_C) $(WARNINGS) $(CPPFLAGS) $(CFLAGS)

# Holds the flags of the last build; rewritten, and so newer than every object, when they change.
FLAGS_FILE := $(BUILD)/flags
FLAGS_TEXT := $(shell $(CC) -dumpversion; $(MKOCTFILE) --version 2>&1) \
              $(filter-out -Werror,$(COMPILE)) $(LIB_CFLAGS) $(LIB_LIBS)
ifneq ($(FLAGS_TEXT),$(file < $(FLAGS_FILE)))
$(shell mkdir -p $(BUILD))
$(file > $(FLAGS_FILE),$(FLAGS_TEXT))
endif
COMMON    := Makefile $(FLAGS_FILE)
Q         := $(if $(V),,@)

# ---- the C core -----------------------------------------------------------------------------------
# Every src/*/*.c is plain C.  Files in src/kernel/isa are compiled once for each instruction set and
# each element type; src/kernel/table.c picks one at run time.
CORE_SRC  := $(wildcard src/base/*.c src/kernel/*.c src/attention/*.c src/text/*.c src/model/*.c \
               src/train/*.c)
ISA_SRC   := $(wildcard src/kernel/isa/*.c)
ISAS      := generic $(if $(filter x86_64 amd64,$(shell uname -m)),avx2 avx512)
ISA_FLAGS_generic :=
ISA_FLAGS_avx2    := -mavx2 -mfma
ISA_FLAGS_avx512  := -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512
REAL_FLAGS_f32    := -DKERN_REAL_F32
REAL_FLAGS_f64    := -DKERN_REAL_F64

CORE_OBJ  := $(CORE_SRC:%.c=$(BUILD)/%.o)
ISA_OBJ   := $(foreach s,$(ISA_SRC:%.c=%),$(foreach i,$(ISAS),$(foreach r,f32 f64,\
               $(BUILD)/$(s).$(i).$(r).o)))
LIBATTN   := $(BUILD)/libattn.a
core: $(LIBATTN)

$(LIBATTN): $(CORE_OBJ) $(ISA_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/src/%.o: src/%.c $(COMMON)
	@mkdir -p $(@D); echo 'compiling $<'
	$(Q)$(COMPILE) $(LIB_CFLAGS) -c $< -o $@

define isa_rule
$(BUILD)/src/kernel/isa/%.$(1).$(2).o: src/kernel/isa/%.c $(COMMON)
	@mkdir -p $$(@D); echo 'compiling $$< ($(1) $(2))'
	$$(Q)$$(COMPILE) -DKERN_ISA=$(1) $$(ISA_FLAGS_$(1)) $$(REAL_FLAGS_$(2)) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(foreach r,f32 f64,$(eval $(call isa_rule,$(i),$(r)))))

# ---- the compiled functions -----------------------------------------------------------------------
# mex/NAME.c that defines mexFunction becomes NAME.mex: in scripts/, or in scripts/private/ when NAME
# starts with two underscores.  Other files of mex/ whose name starts with NAME belong to it alone
# (mex/__gpt2___cache.c to __gpt2__), and the rest are linked into every one, as is mex/*.cc: what of
# Octave can be reached from C++ only.
GATEWAYS  := $(patsubst mex/%.c,%,$(shell grep -l '^void mexFunction' mex/*.c 2>/dev/null))
MEX_PARTS := $(filter-out $(GATEWAYS:%=mex/%.c),$(wildcard mex/*.c))
MEX_SHARED := $(filter-out $(GATEWAYS:%=mex/%%.c),$(MEX_PARTS))
MEX_CXX   := $(patsubst %.cc,$(BUILD)/%.o,$(wildcard mex/*.cc))
MEX_DEST   = scripts/$(if $(filter __%,$(1)),private/)$(1).mex
MEX_OUT   := $(foreach g,$(GATEWAYS),$(call MEX_DEST,$(g)))
MEX_INCLUDE := -isystem $(shell $(MKOCTFILE) -p OCTINCLUDEDIR 2>/dev/null)

$(BUILD)/mex/%.o: mex/%.c $(COMMON)
	@mkdir -p $(@D); echo 'compiling $<'
	$(Q)$(COMPILE) $(MEX_INCLUDE) -c $< -o $@

$(BUILD)/mex/%.o: mex/%.cc $(COMMON)
	@mkdir -p $(@D); echo 'compiling $<'
	$(Q)$(shell $(MKOCTFILE) -p CXX) -fPIC -MMD -MP -Wall -Wextra -Wconversion -Wshadow \
	  $(if $(WERROR),-Werror) $(CPPFLAGS) $(CXXFLAGS) $(MEX_INCLUDE) -c $< -o $@

# The copy is by rename, so that an Octave that has the old one open keeps it.
define mex_rule
$(BUILD)/mex/$(1).mex: $(patsubst %.c,$(BUILD)/%.o,mex/$(1).c $(filter mex/$(1)%.c,$(MEX_PARTS)) \
                         $(MEX_SHARED)) $(MEX_CXX) $(LIBATTN)
	@echo 'linking $(1).mex'
	$$(Q)$$(MKOCTFILE) --mex -o $$@ $$^ $$(LIB_LIBS) -pthread
$(call MEX_DEST,$(1)): $(BUILD)/mex/$(1).mex FORCE
	@mkdir -p $$(@D)
	@cmp -s $$< $$@ || { cp $$< $$@.tmp && mv $$@.tmp $$@; }
endef
$(foreach g,$(GATEWAYS),$(eval $(call mex_rule,$(g))))
FORCE:
all: core $(if $(SANITIZE),,$(MEX_OUT))

# ---- tests ----------------------------------------------------------------------------------------
# tests/c/test_NAME.c is one program; tests/c/support/*.c is linked into each.  A program whose name
# starts with test_fault also gets tests/c/fault/alloc.c, an allocator that fails on demand.
C_TESTS   := $(patsubst tests/c/%.c,$(BUILD)/tests/%,$(wildcard tests/c/test_*.c))
C_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/c/support/*.c))
c-tests: $(C_TESTS)

$(BUILD)/tests/c/%.o: tests/c/%.c $(COMMON)
	@mkdir -p $(@D); echo 'compiling $<'
	$(Q)$(COMPILE) $(LIB_CFLAGS) -Itests/c -c $< -o $@

$(BUILD)/tests/test_fault%: C_EXTRA = $(BUILD)/tests/c/fault/alloc.o
$(filter $(BUILD)/tests/test_fault%,$(C_TESTS)): $(BUILD)/tests/c/fault/alloc.o

# A program whose name starts with test_train_f64 gets src/train built for double, ahead of the
# library.
TRAIN_F64 := $(patsubst src/train/%.c,$(BUILD)/src/train_f64/%.o,$(wildcard src/train/*.c))
$(BUILD)/src/train_f64/%.o: src/train/%.c $(COMMON)
	@mkdir -p $(@D); echo 'compiling $< (double)'
	$(Q)$(COMPILE) -DATTN_TRAIN_F64 -c $< -o $@
$(BUILD)/tests/c/test_train_f64%.o: CPPFLAGS += -DATTN_TRAIN_F64
$(BUILD)/tests/test_train_f64%: C_EXTRA = $(TRAIN_F64)
$(filter $(BUILD)/tests/test_train_f64%,$(C_TESTS)): $(TRAIN_F64)
$(BUILD)/tests/%: $(BUILD)/tests/c/%.o $(C_SUPPORT) $(LIBATTN)
	$(Q)$(CC) $(SAN_FLAGS) $< $(C_SUPPORT) $(C_EXTRA) $(LIBATTN) -o $@ -lcmocka $(LIB_LIBS) -pthread

# tests/tools/NAME.c: programs that tests and benches call.
TOOLS     := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/*.c))
$(BUILD)/tools/%: tests/tools/%.c $(LIBATTN) $(COMMON)
	@mkdir -p $(@D); echo 'compiling $<'
	$(Q)$(COMPILE) $(LIB_CFLAGS) $< $(LIBATTN) -o $@ $(LIB_LIBS)
$(BUILD)/tests/test_random_gpt2: | $(BUILD)/tools/random_gpt2

run-test: all c-tests
	@tests/run $(BUILD)

# Impossible sizes are to be answered by the core, not by the sanitizer.
run-c-tests: c-tests
	@ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  tests/run --c $(BUILD)

# The registers must be right where a handler of SIGBUS returns to.
run-valgrind: c-tests
	@RUN_WITH="valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect \
	  --vex-iropt-register-updates=allregs-at-mem-access --error-exitcode=99" TEST_TIMEOUT=1800 tests/run --c $(BUILD)

# tests/c/fuzz/fuzz_NAME.c with the seeds of tests/fixtures/fuzz/NAME; needs clang.
FUZZERS   := $(patsubst tests/c/fuzz/%.c,$(BUILD)/%,$(wildcard tests/c/fuzz/fuzz_*.c))
$(BUILD)/fuzz_%: $(BUILD)/tests/c/fuzz/fuzz_%.o $(LIBATTN)
	$(Q)$(CC) $(SAN_FLAGS) -fsanitize=fuzzer $^ -o $@ $(LIB_LIBS) -pthread

run-fuzz: $(FUZZERS)
	@tests/run_fuzz $(FUZZ_SECONDS) $(FUZZERS)

run-seeds: $(FUZZERS)
	@tests/run_fuzz 0 $(FUZZERS)

# ---- running it -----------------------------------------------------------------------------------
OCTAVE_RUN := $(OCTAVE) -q --norc --no-history --path $(CURDIR)/scripts

run-demo: all
	@$(OCTAVE_RUN) examples/by_hand.m
	@$(OCTAVE_RUN) examples/gpt2_it.m
	@$(OCTAVE_RUN) examples/tired_wide.m

run-gallery: all
	@$(OCTAVE_RUN) examples/draw_gallery.m

run-check-gpt2: all
	@$(OCTAVE_RUN) tests/octave/real_gpt2.m

run-mini: all
	@rm -rf $(BUILD)/mini
	$(OCTAVE_RUN) --path scripts/models/recipe \
	  --eval "make_mini ('$(BUILD)/mini'); mini_card ('$(BUILD)/mini');"
	mkdir -p scripts/models/mini && cp $(BUILD)/mini/* scripts/models/mini/

# bench/bench_all.m runs every bench/*_bench.m; *_peer.c are programs to compare with.
PEERS     := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*_peer.c))
$(BUILD)/bench/%: bench/%.c $(COMMON)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(LIB_CFLAGS) $< -o $@ $(LIB_LIBS)

run-bench: all $(PEERS) $(TOOLS)
	@GEMM_PEER=$(BUILD)/bench/gemm_peer READ_PEER=$(BUILD)/bench/read_peer \
	  RANDOM_GPT2=$(BUILD)/tools/random_gpt2 $(OCTAVE) -q --norc --no-history bench/bench_all.m

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
endif
