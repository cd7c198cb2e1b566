# Targets: all (default), demo, test, check, bench, lint, format, fuzz, clean.
# Variables: OCTAVE, MKOCTFILE, CC, CFLAGS (optimisation and debugging), BUILD (output folder),
#            SANITIZE=1 (AddressSanitizer and UndefinedBehaviorSanitizer).

OCTAVE    ?= octave-cli
MKOCTFILE ?= mkoctfile
CC        ?= cc
BUILD     ?= build
CFLAGS    ?= -O3 -g

WARNINGS  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
BASE_C    := -std=c11 -fPIC -fexceptions -pthread -MMD -MP -Iinclude -Isrc
ifdef SANITIZE
BASE_C    += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK_SAN  := -fsanitize=address,undefined
endif

# Libraries found through pkg-config; the one-line message replaces a page of compiler errors.
PACKAGES  := openblas libcjson libutf8proc
ifeq ($(filter clean lint format deps,$(MAKECMDGOALS)),)
missing   := $(strip $(foreach p,$(PACKAGES),$(shell pkg-config --exists $(p) || echo $(p))))
ifneq ($(missing),)
ifeq ($(filter demo test,$(MAKECMDGOALS)),)
$(error missing: $(missing) (pkg-config does not find it; `make deps` installs what is needed))
endif
endif
endif
LIB_CFLAGS = $(shell pkg-config --cflags $(PACKAGES))
LIB_LIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm

# ---- the C core -----------------------------------------------------------------------------------
# Every src/*/*.c is plain C.  Files in src/kernel/isa are compiled once for each instruction set and
# each element type; src/kernel/table.c picks one at run time.
CORE_SRC  := $(wildcard src/base/*.c src/kernel/*.c src/attention/*.c src/text/*.c src/model/*.c \
               src/train/*.c)
ISA_SRC   := $(wildcard src/kernel/isa/*.c)
ifneq ($(filter x86_64 amd64,$(shell uname -m)),)
ISAS      := generic avx2 avx512
else
ISAS      := generic
endif
ISA_FLAGS_generic :=
ISA_FLAGS_avx2    := -mavx2 -mfma
ISA_FLAGS_avx512  := -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512
REAL_FLAGS_f32    := -DKERN_REAL_F32
REAL_FLAGS_f64    := -DKERN_REAL_F64

CORE_OBJ  := $(CORE_SRC:%.c=$(BUILD)/%.o)
ISA_OBJ   := $(foreach s,$(ISA_SRC:%.c=%),$(foreach i,$(ISAS),$(foreach r,f32 f64,\
               $(BUILD)/$(s).$(i).$(r).o)))
LIBATTN   := $(BUILD)/libattn.a

.PHONY: all core
all: core
core: $(LIBATTN)

$(LIBATTN): $(CORE_OBJ) $(ISA_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE_C) $(WARNINGS) $(CFLAGS) $(LIB_CFLAGS) -c $< -o $@

define isa_rule
$(BUILD)/src/kernel/isa/%.$(1).$(2).o: src/kernel/isa/%.c Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(BASE_C) $$(WARNINGS) $$(CFLAGS) -DKERN_ISA=$(1) $$(ISA_FLAGS_$(1)) $$(REAL_FLAGS_$(2)) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(foreach r,f32 f64,$(eval $(call isa_rule,$(i),$(r)))))

# ---- the compiled functions -----------------------------------------------------------------------
# One line a function: NAME.mex from the listed sources, into the folder where Octave looks for it.
MEX_SHARED := mex/marshal.c
MEX_OUT    :=
define mex_rule
$(1): $(2:mex/%.c=$(BUILD)/mex/%.o) $(LIBATTN)
	$$(MKOCTFILE) --mex -o $$@ $$^ $$(LIB_LIBS) -pthread
MEX_OUT += $(1)
endef
$(BUILD)/mex/%.o: mex/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BASE_C) $(WARNINGS) $(CFLAGS) -isystem $(shell $(MKOCTFILE) -p OCTINCLUDEDIR) -isystem $(shell $(MKOCTFILE) -p INCLUDEDIR) -c $< -o $@

ifneq ($(wildcard mex/attention.c),)
$(eval $(call mex_rule,scripts/attention.mex,$(MEX_SHARED) mex/attention.c))
endif
ifneq ($(wildcard mex/__gpt2__.c),)
$(eval $(call mex_rule,scripts/private/__gpt2__.mex,$(MEX_SHARED) $(wildcard mex/__gpt2__*.c)))
endif
all: $(MEX_OUT)

# ---- tests of the core ----------------------------------------------------------------------------
# tests/c/test_NAME.c is one program; tests/c/support/*.c is linked into each.  A program whose name
# starts with test_fault also gets tests/c/fault/alloc.c, an allocator that fails on demand.
C_TEST_SRC := $(wildcard tests/c/test_*.c)
C_TESTS    := $(C_TEST_SRC:tests/c/%.c=$(BUILD)/tests/%)
C_SUPPORT  := $(wildcard tests/c/support/*.c)
.PHONY: c-tests
c-tests: $(C_TESTS)
$(BUILD)/tests/test_fault%: C_EXTRA = tests/c/fault/alloc.c
$(BUILD)/tests/%: tests/c/%.c $(C_SUPPORT) $(LIBATTN)
	@mkdir -p $(@D)
	$(CC) $(BASE_C) $(WARNINGS) $(CFLAGS) $(LIB_CFLAGS) -Itests/c $< $(C_SUPPORT) $(C_EXTRA) -o $@ \
	  $(LINK_SAN) $(LIBATTN) -lcmocka $(LIB_LIBS) -pthread

.PHONY: clean
clean:
	rm -rf build bench/results.json examples/output
	find scripts -name '*.mex' -delete

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
