/* NumPy's files: .npy (numpy/lib/format.py: magic, version, a Python dictionary as header, the numbers) and .npz, a zip archive of them (APPNOTE.TXT of
 * PKWARE; members are found by the central directory at the end). Written: stored members of little-endian float64 in C order, and `units`, an array of
 * texts [n][2] with the names and units of the arrays that have one, which NumPy reads as dict(z["units"]). */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "atomic.h"

static char *wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *wrong(const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return strdup(text);
}

/* ---- arrays in general ---- */

size_t array_count(const NamedArray *array) {
  size_t n = 1;
  for (int r = 0; r < array->rank; r++) n *= array->shape[r];
  return n;
}

NamedArray *arrays_find(const ArrayFile *file, const char *name) {
  for (int k = 0; k < file->n; k++)
    if (!strcmp(file->items[k].name, name)) return &file->items[k];
  return NULL;
}

NamedArray *arrays_add(ArrayFile *file, const char *name, size_t len) {
  file->items = realloc(file->items, (size_t)(file->n + 1) * sizeof *file->items);
  NamedArray *array = &file->items[file->n++];
  *array = (NamedArray){.name = strndup(name, len)};
  return array;
}

void arrays_free(ArrayFile *file) {
  for (int k = 0; k < file->n; k++) {
    free(file->items[k].name);
    free(file->items[k].unit);
    free(file->items[k].values);
  }
  free(file->items);
  *file = (ArrayFile){0};
}

/* ---- npy ---- */

typedef struct Npy {
  char order, kind;                  /* '<', '>', '|'; 'f', 'i', 'u', 'b', 'S', 'U' */
  size_t width;                      /* bytes of an entry */
  bool fortran;
  int rank;
  size_t shape[ARRAY_RANK];
  size_t count;
  const unsigned char *data;
} Npy;

/* The value of 'key' in the header's dictionary; NULL: absent. */
static const char *entry(const char *header, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s'", key);
  const char *at = strstr(header, quoted);
  if (!at) return NULL;
  at += strlen(quoted);
  while (*at == ' ' || *at == ':') at++;
  return at;
}

static char *parse_shape(const char *text, Npy *npy) {
  if (!text || *text++ != '(') return wrong("its header has no shape");
  npy->count = 1;
  for (npy->rank = 0;; npy->rank++) {
    while (*text == ' ' || *text == ',') text++;
    if (*text == ')') break;
    if (*text < '0' || *text > '9') return wrong("its shape is not a list of numbers");
    if (npy->rank == ARRAY_RANK) return wrong("it has more than %d dimensions", ARRAY_RANK);
    errno = 0;
    unsigned long long n = strtoull(text, (char **)&text, 10);
    if (errno || n > SIZE_MAX / 64 || (n && npy->count > SIZE_MAX / 64 / n)) return wrong("its shape is beyond all memory");
    if (*text == 'L') text++;
    npy->shape[npy->rank] = n;
    npy->count *= n;
  }
  return NULL;
}

static char *parse_type(const char *text, Npy *npy) {
  if (!text || *text++ != '\'') return wrong("its entries are records; plain numbers were expected");
  npy->order = *text++;
  npy->kind = npy->order ? *text++ : 0;
  char *end = NULL;
  unsigned long width = npy->kind ? strtoul(text, &end, 10) : 0;
  bool text_kind = npy->kind == 'S' || npy->kind == 'U', number = npy->kind == 'f' || npy->kind == 'i' || npy->kind == 'u' || npy->kind == 'b';
  if (!end || *end != '\'' || !strchr("<>|=", npy->order) || (!text_kind && !number)) return wrong("its entries are of the type %.12s; float64, float32, integers and bools are read", text - (npy->kind ? 3 : 1));
  if (text_kind) npy->width = width * (npy->kind == 'U' ? 4 : 1);
  else npy->width = width;
  if ((number && width != 1 && width != 2 && width != 4 && width != 8) || (npy->kind == 'f' && width < 4) || width > 4096)
    return wrong("its numbers have %lu bytes; float64, float32, integers and bools are read", width);
  return NULL;
}

static char *parse_npy_head(const unsigned char *bytes, size_t n, Npy *npy) {
  static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (n < 10 || memcmp(bytes, magic, sizeof magic)) return wrong("it does not begin as a .npy file does");
  if (bytes[6] < 1 || bytes[6] > 3) return wrong("it is of version %d of the format; 1 to 3 are read", bytes[6]);
  size_t start = bytes[6] == 1 ? 10 : 12, len = bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1) {
    if (n < 12) return wrong("it was cut off");
    len |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  }
  if (n - start < len) return wrong("it was cut off in its header");
  if (len > 65536) return wrong("its header is longer than 65536 bytes");
  char *header = strndup((const char *)bytes + start, len), *bad = parse_type(entry(header, "descr"), npy);
  if (!bad) bad = parse_shape(entry(header, "shape"), npy);
  const char *fortran = entry(header, "fortran_order");
  npy->fortran = fortran && !strncmp(fortran, "True", 4);
  free(header);
  if (bad) return bad;
  npy->data = bytes + start + len;
  if (npy->width && npy->count > (n - start - len) / npy->width) return wrong("it was cut off: its shape needs %zu bytes, there are %zu", npy->count * npy->width, n - start - len);
  return NULL;
}

static double number_at(const Npy *npy, const unsigned char *p) {
  unsigned char b[8] = {0};
  size_t w = npy->width;
  for (size_t k = 0; k < w; k++) b[k] = p[npy->order == '>' ? w - 1 - k : k];
  uint64_t u = 0;
  for (size_t k = 0; k < w; k++) u |= (uint64_t)b[k] << (8 * k);
  if (npy->kind == 'f' && w == 8) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
  }
  if (npy->kind == 'f') {
    uint32_t v = (uint32_t)u;
    float x;
    memcpy(&x, &v, sizeof x);
    return x;
  }
  if (npy->kind != 'i') return (double)u;
  return (double)((int64_t)(u << (64 - 8 * w)) >> (64 - 8 * w));
}

/* The place in the file of the k-th entry in C order. */
static size_t fortran_place(const Npy *npy, size_t k) {
  size_t place = 0, stride = npy->count;
  for (int r = npy->rank - 1; r >= 0; r--) {
    stride /= npy->shape[r];
    place += k % npy->shape[r] * stride;
    k /= npy->shape[r];
  }
  return place;
}

static void fill(const Npy *npy, double *values) {
  if (!npy->fortran && npy->kind == 'f' && npy->width == 8 && npy->order != '>') {
    if (npy->count) memcpy(values, npy->data, npy->count * sizeof *values);
    return;
  }
  for (size_t k = 0; k < npy->count; k++) values[k] = number_at(npy, npy->data + npy->width * (npy->fortran ? fortran_place(npy, k) : k));
}

char *npy_parse(const unsigned char *bytes, size_t n, NamedArray *out) {
  Npy npy = {0};
  char *bad = parse_npy_head(bytes, n, &npy);
  if (bad) return bad;
  if (npy.kind == 'S' || npy.kind == 'U') return wrong("its entries are texts; numbers were expected");
  out->rank = npy.rank;
  memcpy(out->shape, npy.shape, sizeof npy.shape);
  out->values = malloc(npy.count * sizeof(double) + 1);
  fill(&npy, out->values);
  return NULL;
}

/* A text of an array of texts; characters of UCS-4 beyond ASCII but µ, ² and ³ are '?'. */
static void text_at(const Npy *npy, size_t k, char *out, size_t most) {
  const unsigned char *p = npy->data + k * npy->width;
  size_t step = npy->kind == 'U' ? 4 : 1, len = 0;
  for (size_t c = 0; c + step <= npy->width && len + 3 < most; c += step) {
    unsigned u = step == 1 ? p[c] : npy->order == '>' ? p[c + 3] | (unsigned)p[c + 2] << 8 : p[c] | (unsigned)p[c + 1] << 8;
    if (!u) break;
    if (u < 0x80 || step == 1) out[len++] = (char)u;
    else if (u < 0x800) {
      out[len++] = (char)(0xC0 | u >> 6);
      out[len++] = (char)(0x80 | (u & 0x3F));
    } else out[len++] = '?';
  }
  out[len] = 0;
}

/* ---- zip ---- */

typedef struct Member {
  const char *name; size_t namelen;
  unsigned method, crc;
  size_t packed, size, offset;       /* offset of the local header */
} Member;

static unsigned u16(const unsigned char *p) { return p[0] | (unsigned)p[1] << 8; }
static unsigned u32(const unsigned char *p) { return u16(p) | u16(p + 2) << 16; }
static uint64_t u64(const unsigned char *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

static unsigned crc32_of(const unsigned char *bytes, size_t n) {
  unsigned table[256], crc = ~0u;
  for (unsigned k = 0; k < 256; k++) {
    unsigned c = k;
    for (int b = 0; b < 8; b++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    table[k] = c;
  }
  for (size_t k = 0; k < n; k++) crc = table[(crc ^ bytes[k]) & 0xFF] ^ crc >> 8;
  return ~crc;
}

/* The end-of-central-directory record: the last place where its signature stands. */
static const unsigned char *directory_end(const unsigned char *bytes, size_t n) {
  for (size_t back = 22; back <= n && back <= 22 + 65535; back++)
    if (!memcmp(bytes + n - back, "PK\5\6", 4)) return bytes + n - back;
  return NULL;
}

/* A row of the central directory; sizes of 32 one bits stand in the extra field 1 (zip64). */
static bool read_member(const unsigned char *p, const unsigned char *end, Member *m, size_t *used) {
  if (end - p < 46 || memcmp(p, "PK\1\2", 4)) return false;
  size_t name = u16(p + 28), extra = u16(p + 30), comment = u16(p + 32);
  if ((size_t)(end - p) < 46 + name + extra + comment) return false;
  *m = (Member){(const char *)p + 46, name, u16(p + 10), u32(p + 16), u32(p + 20), u32(p + 24), u32(p + 42)};
  const unsigned char *x = p + 46 + name, *stop = x + extra;
  while (stop - x >= 4) {
    size_t len = u16(x + 2);
    if ((size_t)(stop - x) < 4 + len) return false;
    if (u16(x) == 1) {
      const unsigned char *v = x + 4, *last = v + len;
      if (m->size == 0xFFFFFFFFu && last - v >= 8) m->size = u64(v), v += 8;
      if (m->packed == 0xFFFFFFFFu && last - v >= 8) m->packed = u64(v), v += 8;
      if (m->offset == 0xFFFFFFFFu && last - v >= 8) m->offset = u64(v);
    }
    x += 4 + len;
  }
  *used = 46 + name + extra + comment;
  return true;
}

/* The bytes of a member, unpacked: borrowed from the file, or in *own. */
static char *unpack(const unsigned char *bytes, size_t n, const Member *m, const unsigned char **data, unsigned char **own) {
  if (m->offset > n || n - m->offset < 30 || memcmp(bytes + m->offset, "PK\3\4", 4)) return wrong("its directory points outside of the file: it was cut off or damaged");
  const unsigned char *head = bytes + m->offset;
  size_t skip = 30 + (size_t)u16(head + 26) + u16(head + 28);
  if (n - m->offset < skip || n - m->offset - skip < m->packed) return wrong("`%.*s` was cut off", (int)m->namelen, m->name);
  const unsigned char *packed = head + skip;
  if (m->method == 0 && m->size == m->packed) *data = packed;
  else if (m->method == 8) {
    if (m->size / 1040 > m->packed) return wrong("`%.*s` is damaged: no %zu bytes can be packed into %zu", (int)m->namelen, m->name, m->size, m->packed);
    *data = *own = malloc(m->size + 1);
    if (!inflate_all(packed, m->packed, *own, m->size)) return wrong("`%.*s` is damaged: its compressed bytes do not unpack", (int)m->namelen, m->name);
  } else return wrong("`%.*s` is packed by method %u; stored and deflate (np.savez, np.savez_compressed) are read", (int)m->namelen, m->name, m->method);
  if (crc32_of(*data, m->size) != m->crc) return wrong("`%.*s` is damaged: its checksum is another one", (int)m->namelen, m->name);
  return NULL;
}

/* Units of arrays that were read before or come later: kept in a list, joined at the end. */
static char *read_units(const unsigned char *data, size_t n, Npy *units) {
  char *bad = parse_npy_head(data, n, units);
  if (bad) return bad;
  if ((units->kind != 'S' && units->kind != 'U') || !units->width || units->fortran || units->rank != 2 || units->shape[1] != 2) return wrong("`units` is no array of texts [n][2], of names and units");
  return NULL;
}

static void give_units(ArrayFile *file, const Npy *units) {
  for (size_t k = 0; k < units->shape[0]; k++) {
    char name[256], unit[128];
    text_at(units, 2 * k, name, sizeof name);
    text_at(units, 2 * k + 1, unit, sizeof unit);
    NamedArray *array = arrays_find(file, name[0] == '/' ? name + 1 : name);
    if (array && !array->unit && *unit) array->unit = strdup(unit);
  }
}

char *npz_parse(const unsigned char *bytes, size_t n, ArrayFile *out) {
  const unsigned char *end = directory_end(bytes, n);
  *out = (ArrayFile){0};
  if (!end) return wrong(n >= 4 && !memcmp(bytes, "PK\3\4", 4) ? "it was cut off: the directory at its end is missing" : "it is no zip archive, which .npz files are");
  size_t count = u16(end + 10), start = u32(end + 16);
  if (start > (size_t)(end - bytes)) return wrong("its directory lies outside of the file: it was cut off, or is larger than 4 GB");
  Npy units = {0};
  unsigned char *kept = NULL;        /* unpacked bytes of `units` */
  char *bad = NULL;
  const unsigned char *p = bytes + start;
  for (size_t k = 0, used; k < count && !bad; k++, p += used) {
    Member m;
    if (!read_member(p, end, &m, &used)) {
      bad = wrong("its directory is damaged at entry %zu", k + 1);
      break;
    }
    size_t stem = m.namelen > 4 && !memcmp(m.name + m.namelen - 4, ".npy", 4) ? m.namelen - 4 : 0;
    const unsigned char *data = NULL;
    unsigned char *own = NULL;
    if (!stem) continue;             /* something else */
    bool is_units = stem == 5 && !memcmp(m.name, "units", 5);
    NamedArray array = {0};
    bad = unpack(bytes, n, &m, &data, &own);
    char *inner = bad ? NULL : is_units ? (kept ? NULL : read_units(data, m.size, &units)) : npy_parse(data, m.size, &array);
    if (inner) bad = wrong("`%.*s`: %s", (int)stem, m.name, inner);
    free(inner);
    if (!bad && !is_units) {
      NamedArray *added = arrays_add(out, m.name, stem);
      array.name = added->name;
      *added = array;
      if (memchr(m.name, 0, stem)) bad = wrong("a name in it has a zero byte");
    }
    if (is_units && !kept && !bad) kept = own;
    else free(own);
  }
  if (!bad && units.data) give_units(out, &units);
  free(kept);
  if (bad) arrays_free(out);
  return bad;
}

Status npz_read(const char *path, Diags *diags, Span span, ArrayFile *out) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  long size = -1;
  bool fine = file && !fseek(file, 0, SEEK_END) && (size = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET);
  if (fine) {
    bytes = malloc((size_t)size + 1);
    fine = fread(bytes, 1, (size_t)size, file) == (size_t)size;
  }
  char *bad = fine ? npz_parse(bytes, (size_t)size, out) : wrong("it cannot be read: %s", strerror(errno));
  if (file) fclose(file);
  free(bytes);
  if (!bad) return 0;
  *out = (ArrayFile){0};
  diag_report(diags, E3151, span, "`%s` cannot be used: %s", path, bad);
  free(bad);
  return 1;
}

/* ---- writing ---- */

static void put(unsigned char *p, int bytes, size_t value) {
  for (int k = 0; k < bytes; k++) p[k] = (unsigned char)(value >> (8 * k));
}

/* Magic, version 1.0, header padded so that the numbers are aligned to 64 bytes. */
static void npy_head(Buf *out, const char *type, const size_t *shape, int rank) {
  Buf head = {0};
  buf_printf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
  for (int r = 0; r < rank; r++) buf_printf(&head, "%zu%s", shape[r], r + 1 < rank ? ", " : rank == 1 ? "," : "");
  buf_puts(&head, "), }");
  while ((head.len + 11) % 64) buf_putc(&head, ' ');
  buf_putc(&head, '\n');
  unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  put(start + 8, 2, head.len);
  buf_add(out, (const char *)start, sizeof start);
  buf_add(out, head.text, head.len);
  buf_free(&head);
}

typedef struct Zip { FILE *file; Buf directory; size_t at; int n; bool too_large; } Zip;

static void put_member(Zip *zip, const char *name, const Buf *head, const void *data, size_t n) {
  char full[300];
  int len = snprintf(full, sizeof full, "%s.npy", name);
  size_t size = head->len + n;
  if (zip->at + size + 1000 > 0xFFFFFFFEu || len >= (int)sizeof full) {
    zip->too_large = true;
    return;
  }
  unsigned char *all = malloc(size);                 /* the checksum stands before the bytes */
  memcpy(all, head->text, head->len);
  if (n) memcpy(all + head->len, data, n);
  unsigned char local[30] = "PK\3\4", central[46] = "PK\1\2";
  put(local + 4, 2, 20);
  put(local + 12, 2, 0x21);                             /* 1980-01-01: the same data give the same file */
  put(local + 14, 4, crc32_of(all, size));
  put(local + 18, 4, size);
  put(local + 22, 4, size);
  put(local + 26, 2, (size_t)len);
  put(central + 4, 2, 20);
  memcpy(central + 6, local + 4, 26);
  put(central + 42, 4, zip->at);
  fwrite(local, 1, sizeof local, zip->file);
  fwrite(full, 1, (size_t)len, zip->file);
  fwrite(all, 1, size, zip->file);
  buf_add(&zip->directory, (const char *)central, sizeof central);
  buf_add(&zip->directory, full, (size_t)len);
  zip->at += sizeof local + (size_t)len + size;
  zip->n++;
  free(all);
}

static void put_units(Zip *zip, const ArrayFile *file) {
  size_t width = 1, n = 0;
  for (int k = 0; k < file->n; k++) {
    if (!file->items[k].unit) continue;
    n++;
    if (strlen(file->items[k].name) > width) width = strlen(file->items[k].name);
    if (strlen(file->items[k].unit) > width) width = strlen(file->items[k].unit);
  }
  if (!n) return;
  char *texts = calloc(2 * n, width), *at = texts, type[32];
  for (int k = 0; k < file->n; k++)
    if (file->items[k].unit) {
      memcpy(at, file->items[k].name, strlen(file->items[k].name));
      memcpy(at + width, file->items[k].unit, strlen(file->items[k].unit));
      at += 2 * width;
    }
  Buf head = {0};
  snprintf(type, sizeof type, "|S%zu", width);
  npy_head(&head, type, (size_t[]){n, 2}, 2);
  put_member(zip, "units", &head, texts, 2 * n * width);
  buf_free(&head);
  free(texts);
}

Status npz_write(const char *path, const ArrayFile *file, Diags *diags, Span span) {
  Atomic atomic;
  TRY(atomic_begin(&atomic, path, diags, span));
  Zip zip = {.file = atomic.file};
  for (int k = 0; k < file->n; k++) {
    const NamedArray *array = &file->items[k];
    Buf head = {0};
    npy_head(&head, "<f8", array->shape, array->rank);
    put_member(&zip, array->name, &head, array->values, array_count(array) * sizeof(double));
    buf_free(&head);
  }
  put_units(&zip, file);
  unsigned char end[22] = "PK\5\6";
  put(end + 8, 2, (size_t)zip.n);
  put(end + 10, 2, (size_t)zip.n);
  put(end + 12, 4, zip.directory.len);
  put(end + 16, 4, zip.at);
  fwrite(buf_str(&zip.directory), 1, zip.directory.len, zip.file);
  fwrite(end, 1, sizeof end, zip.file);
  buf_free(&zip.directory);
  if (!zip.too_large) return atomic_commit(&atomic, diags, span);
  atomic_abort(&atomic);
  diag_suggest(diag_report(diags, E2501, span, "`%s` cannot be written: archives of more than 4 GB are not", path), "write it as .h5");
  return 1;
}
