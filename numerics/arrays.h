/* Named arrays of numbers, as files of data hold them: HDF5 (io_h5_arrays.c, in the engine) and npz (npz.c). */
#ifndef ARRAYS_H
#define ARRAYS_H
#include "../lang/diag.h"

enum { ARRAY_RANK = 6 };

typedef struct NamedArray {
  char *name;                        /* "inputs/fx", no slash in front */
  char *unit;                        /* "mm"; NULL: none is told */
  int rank;
  size_t shape[ARRAY_RANK];
  double *values;                    /* row-major */
} NamedArray;

typedef struct ArrayFile {           /* owns all of it */
  NamedArray *items;
  int n;
} ArrayFile;

size_t array_count(const NamedArray *array);
NamedArray *arrays_find(const ArrayFile *file, const char *name);     /* NULL: none */
NamedArray *arrays_add(ArrayFile *file, const char *name, size_t len); /* zeroed but for its name; stays there until the next is added */
void arrays_free(ArrayFile *file);

/* Whole files; a failing call leaves *out empty. E3151 (not such a file, damaged), E2501 (writing). */
Status npz_read(const char *path, Diags *diags, Span span, ArrayFile *out);
Status npz_write(const char *path, const ArrayFile *file, Diags *diags, Span span);
/* What `bytes` hold, for npz_read and who checks it with all kinds of bytes: NULL, or what is wrong (malloc). */
char *npz_parse(const unsigned char *bytes, size_t n, ArrayFile *out);
char *npy_parse(const unsigned char *bytes, size_t n, NamedArray *out);   /* out->values; name and unit untouched */
/* RFC 1951. false: damaged, or not of n bytes. */
bool inflate_all(const unsigned char *from, size_t nfrom, unsigned char *to, size_t n);

/* In the engine. */
Status io_h5_arrays_read(const char *path, Diags *diags, Span span, ArrayFile *out);
Status io_h5_arrays_write(const char *path, const ArrayFile *file, Diags *diags, Span span);

#endif
