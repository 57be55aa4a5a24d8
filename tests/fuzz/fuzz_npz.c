/* Readers of npz and npy files on arbitrary bytes: what is wrong, or arrays that hold together. */
#include <stdlib.h>
#include <string.h>

#include "numerics/cases.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len) {
  ArrayFile file;
  NamedArray array = {0};
  char *bad = npz_parse(data, len, &file), *bad_npy = npy_parse(data, len, &array);
  if (!bad) {
    Diags diags = {0};
    cases_free(cases_from_arrays(&file, NULL, 0, NULL, 0, "fuzz.npz", &diags, (Span){0, 0}));
    diags_free(&diags);
  } else if (file.n) abort();
  if (!bad_npy && array_count(&array) > len * 8) abort();
  free(array.values);
  free(bad);
  free(bad_npy);
  unsigned char to[5000];
  inflate_all(data, len, to, len < sizeof to ? len : sizeof to);
  return 0;
}
