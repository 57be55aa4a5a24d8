/* Composition of letters and combining marks, so that names compare by what is read (Unicode NFC for the scripts of
 * nfc.def: Latin, Greek, Cyrillic). */
#ifndef NFC_H
#define NFC_H
#include <stddef.h>

size_t nfc_compose(char *text, size_t len);   /* in place, never longer; µ becomes μ; the new length */

#endif
