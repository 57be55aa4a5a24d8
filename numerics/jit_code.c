/* A loader for the objects that LLVM makes of one kernel: 64-bit little-endian ELF for x86-64 with code, constants and calls of known functions. Every
 * offset is checked, so a damaged object is refused. Layout: the allocated sections, then a stub (jmp *address) and an address for each function
 * outside, because those may be further away than a call reaches. Other machines link through the provider. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit.h"

struct Code {
  char *base;
  size_t size;
};

void code_free(Code *code) {
  if (!code) return;
  munmap(code->base, code->size);
  free(code);
}

#if defined __x86_64__

enum { SECTIONS_MAX = 256, SYMBOLS_MAX = 4096, STUB = 16 };

typedef struct Object {
  const char *bytes;
  size_t len;
  Elf64_Ehdr header;
  Elf64_Shdr section[SECTIONS_MAX];
  size_t place[SECTIONS_MAX];     /* offset in the image of an allocated section; SIZE_MAX: not allocated */
  Elf64_Sym *symbol;              /* copies: the object need not be aligned */
  size_t nsymbols;
  const char *names; size_t names_len;
  int *stub; int nstubs;          /* per symbol: number of its stub, -1: none */
  size_t stubs, size;             /* offset of the stubs, size of the image */
  char *image;
  CodeSymbol outside;
  char *error;
} Object;

static bool refuse(Object *o, const char *why) {
  snprintf(o->error, JIT_ERROR, "object: %s", why);
  return false;
}

static bool inside(const Object *o, uint64_t offset, uint64_t size) { return offset <= o->len && size <= o->len - offset; }

static bool read_sections(Object *o) {
  if (o->len < sizeof o->header) return refuse(o, "too short");
  memcpy(&o->header, o->bytes, sizeof o->header);
  const Elf64_Ehdr *h = &o->header;
  if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL ||
      h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr))
    return refuse(o, "not a relocatable object for this machine");
  if (!h->e_shnum || h->e_shnum > SECTIONS_MAX || !inside(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr))) return refuse(o, "section table");
  memcpy(o->section, o->bytes + h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr));
  for (int i = 1; i < h->e_shnum; i++)
    if (o->section[i].sh_type != SHT_NOBITS && !inside(o, o->section[i].sh_offset, o->section[i].sh_size)) return refuse(o, "section outside the file");
  return true;
}

static bool is_loaded(const Elf64_Shdr *s) {
  return (s->sh_flags & SHF_ALLOC) && s->sh_type == SHT_PROGBITS && s->sh_size;   /* unwind tables have a type of their own */
}

static bool place_sections(Object *o) {
  for (int i = 0; i < o->header.e_shnum; i++) {
    const Elf64_Shdr *s = &o->section[i];
    o->place[i] = SIZE_MAX;
    if ((s->sh_flags & SHF_ALLOC) && s->sh_type == SHT_NOBITS && s->sh_size) return refuse(o, "variables");
    if (!is_loaded(s)) continue;
    uint64_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (s->sh_flags & SHF_WRITE) return refuse(o, "variables");
    if ((align & (align - 1)) || align > 4096) return refuse(o, "alignment");
    o->size = (o->size + align - 1) & ~(size_t)(align - 1);
    o->place[i] = o->size;
    o->size += s->sh_size;
  }
  return true;
}

static bool read_symbols(Object *o) {
  for (int i = 0; i < o->header.e_shnum; i++) {
    const Elf64_Shdr *s = &o->section[i];
    if (s->sh_type != SHT_SYMTAB) continue;
    if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_link >= o->header.e_shnum || o->section[s->sh_link].sh_type != SHT_STRTAB || o->symbol)
      return refuse(o, "symbol table");
    o->nsymbols = s->sh_size / sizeof(Elf64_Sym);
    if (o->nsymbols > SYMBOLS_MAX) return refuse(o, "too many symbols");
    o->symbol = malloc(o->nsymbols * sizeof(Elf64_Sym) + 1);
    o->stub = malloc(o->nsymbols * sizeof(int) + 1);
    if (!o->symbol || !o->stub) return refuse(o, "memory is out");
    memcpy(o->symbol, o->bytes + s->sh_offset, o->nsymbols * sizeof(Elf64_Sym));
    memset(o->stub, -1, o->nsymbols * sizeof(int));
    o->names = o->bytes + o->section[s->sh_link].sh_offset;
    o->names_len = o->section[s->sh_link].sh_size;
    if (!o->names_len || o->names[o->names_len - 1]) return refuse(o, "names");
  }
  return o->symbol ? true : refuse(o, "no symbols");
}

static const char *name_of(const Object *o, const Elf64_Sym *symbol) { return symbol->st_name < o->names_len ? o->names + symbol->st_name : ""; }

/* Offset of a defined symbol in the image; SIZE_MAX: not defined here. */
static size_t defined_at(const Object *o, const Elf64_Sym *symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= o->header.e_shnum || o->place[symbol->st_shndx] == SIZE_MAX) return SIZE_MAX;
  if (symbol->st_value > o->section[symbol->st_shndx].sh_size) return SIZE_MAX;
  return o->place[symbol->st_shndx] + symbol->st_value;
}

typedef bool (*Relocate)(Object *o, int section, const Elf64_Rela *rela);

static bool each_relocation(Object *o, Relocate visit) {
  for (int i = 0; i < o->header.e_shnum; i++) {
    const Elf64_Shdr *s = &o->section[i];
    if (s->sh_type == SHT_REL && s->sh_info < o->header.e_shnum && o->place[s->sh_info] != SIZE_MAX) return refuse(o, "relocations without addend");
    if (s->sh_type != SHT_RELA || s->sh_info >= o->header.e_shnum || o->place[s->sh_info] == SIZE_MAX) continue;
    if (s->sh_entsize != sizeof(Elf64_Rela)) return refuse(o, "relocation table");
    for (uint64_t k = 0; k + sizeof(Elf64_Rela) <= s->sh_size; k += sizeof(Elf64_Rela)) {
      Elf64_Rela rela;
      memcpy(&rela, o->bytes + s->sh_offset + k, sizeof rela);
      if (ELF64_R_SYM(rela.r_info) >= o->nsymbols) return refuse(o, "relocation by an unknown symbol");
      if (!visit(o, (int)s->sh_info, &rela)) return false;
    }
  }
  return true;
}

static bool is_got(uint32_t type) { return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX; }

/* First pass: who needs a stub. */
static bool count_stub(Object *o, int section, const Elf64_Rela *rela) {
  (void)section;
  size_t k = ELF64_R_SYM(rela->r_info);
  if ((defined_at(o, &o->symbol[k]) == SIZE_MAX || is_got(ELF64_R_TYPE(rela->r_info))) && o->stub[k] < 0) o->stub[k] = o->nstubs++;
  return true;
}

/* Stub: ff 25 disp32 = jmp *[rip + 2], two bytes of padding, then the address at +8, which serves as the entry of a global offset table. */
static bool write_stubs(Object *o) {
  for (size_t k = 0; k < o->nsymbols; k++) {
    if (o->stub[k] < 0) continue;
    size_t here = defined_at(o, &o->symbol[k]);
    void *address = here != SIZE_MAX ? o->image + here : o->outside(name_of(o, &o->symbol[k]));
    if (!address) {
      snprintf(o->error, JIT_ERROR, "object: %.100s is unknown", name_of(o, &o->symbol[k]));
      return false;
    }
    char *stub = o->image + o->stubs + (size_t)o->stub[k] * STUB;
    memcpy(stub, "\xff\x25\x02\x00\x00\x00\x00\x00", 8);
    memcpy(stub + 8, &address, 8);
  }
  return true;
}

static bool apply(Object *o, int section, const Elf64_Rela *rela) {
  uint32_t type = ELF64_R_TYPE(rela->r_info);
  size_t k = ELF64_R_SYM(rela->r_info), width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
  if (rela->r_offset > o->section[section].sh_size || width > o->section[section].sh_size - rela->r_offset) return refuse(o, "relocation outside its section");
  char *at = o->image + o->place[section] + rela->r_offset;
  char *stub = o->stub[k] < 0 ? NULL : o->image + o->stubs + (size_t)o->stub[k] * STUB;
  size_t here = defined_at(o, &o->symbol[k]);
  uint64_t target = (uint64_t)(uintptr_t)(is_got(type) ? stub + 8 : here != SIZE_MAX ? o->image + here : stub) + (uint64_t)rela->r_addend;
  int64_t value = (int64_t)target;
  switch (type) {
    case R_X86_64_64: break;
    case R_X86_64_PC64: case R_X86_64_PC32: case R_X86_64_PLT32: case R_X86_64_GOTPCREL: case R_X86_64_GOTPCRELX: case R_X86_64_REX_GOTPCRELX:
      value = (int64_t)(target - (uint64_t)(uintptr_t)at);
      break;
    default: return refuse(o, "a kind of relocation this loader does not know");
  }
  if (width == 4 && value != (int32_t)value) return refuse(o, "relocation out of reach");
  memcpy(at, &value, width);
  return true;
}

static bool find_entry(Object *o, const char *symbol, KernelFn *fn) {
  for (size_t k = 0; k < o->nsymbols; k++) {
    size_t here = defined_at(o, &o->symbol[k]);
    if (here == SIZE_MAX || ELF64_ST_TYPE(o->symbol[k].st_info) != STT_FUNC || strcmp(name_of(o, &o->symbol[k]), symbol)) continue;
    void *address = o->image + here;
    memcpy(fn, &address, sizeof address);
    return true;
  }
  return refuse(o, "the kernel is not in it");
}

static bool load(Object *o, const char *symbol, KernelFn *fn) {
  if (!read_sections(o) || !place_sections(o) || !read_symbols(o) || !each_relocation(o, count_stub)) return false;
  o->stubs = (o->size + STUB - 1) & ~(size_t)(STUB - 1);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  o->size = (o->stubs + (size_t)o->nstubs * STUB + page) & ~(page - 1);
  o->image = mmap(NULL, o->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (o->image == MAP_FAILED) {
    o->image = NULL;
    return refuse(o, "memory is out");
  }
  for (int i = 0; i < o->header.e_shnum; i++)
    if (o->place[i] != SIZE_MAX) memcpy(o->image + o->place[i], o->bytes + o->section[i].sh_offset, o->section[i].sh_size);
  if (!write_stubs(o) || !each_relocation(o, apply) || !find_entry(o, symbol, fn)) return false;
  return !mprotect(o->image, o->size, PROT_READ | PROT_EXEC) || refuse(o, "the system forbids new code");
}

Code *code_load(const char *object, size_t len, const char *symbol, CodeSymbol outside, KernelFn *fn, char error[JIT_ERROR]) {
  Object *o = kir_memory(NULL, sizeof *o);
  Code *code = kir_memory(NULL, sizeof *code);
  *o = (Object){.bytes = object, .len = len, .outside = outside, .error = error};
  bool good = load(o, symbol, fn);
  if (good) *code = (Code){o->image, o->size};
  else {
    if (o->image) munmap(o->image, o->size);
    free(code);
    code = NULL;
    *fn = NULL;
  }
  free(o->symbol);
  free(o->stub);
  free(o);
  return code;
}

#else

Code *code_load(const char *object, size_t len, const char *symbol, CodeSymbol outside, KernelFn *fn, char error[JIT_ERROR]) {
  (void)object, (void)len, (void)symbol, (void)outside;
  *fn = NULL;
  snprintf(error, JIT_ERROR, "object: there is no loader for this machine");
  return NULL;
}

#endif
