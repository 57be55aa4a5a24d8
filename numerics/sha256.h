/* SHA-256 (FIPS 180-4). */
#ifndef SHA256_H
#define SHA256_H
#include <stddef.h>

void sha256_hex(const void *data, size_t len, char hex[65]);

#endif
