/* SHA-256 (FIPS 180-4). */
#ifndef SHA256_H
#define SHA256_H
#include <stddef.h>
#include <stdint.h>

typedef struct Sha256 {
  uint32_t state[8];
  uint64_t bytes;
  uint8_t block[64];
} Sha256;

void sha256_start(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *data, size_t bytes);
void sha256_end(Sha256 *sha, uint8_t digest[32]);
void sha256_hex(const void *data, size_t bytes, char hex[65]);   /* of one piece, in lower case, NUL-terminated */

#endif
