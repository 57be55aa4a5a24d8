/* A small well-formedness check for the XML that we write: tags nest, attributes are quoted and unique, no stray < or &. */
#ifndef XML_CHECK_H
#define XML_CHECK_H
#include <stddef.h>
/* NULL, or where it breaks. Raw bytes of an element AppendedData with encoding="raw" are skipped. */
const char *xml_check(const char *text, size_t n);

/* A whole file; *n its length; NULL: not there. NUL added. Free it. */
char *file_read(const char *path, size_t *n);
#endif
