/* Decompression of deflate streams (RFC 1951), as np.savez_compressed writes them. Codes are read bit by bit through the counts of each length
 * (canonical Huffman codes, section 3.2.2): a few hundred MB a minute, which reading a data file can bear. */
#include <string.h>

#include "arrays.h"

enum { BITS_MOST = 15, LITERALS = 288, DISTANCES = 30 };

typedef struct Stream {
  const unsigned char *from; size_t n, at;
  unsigned char *to; size_t size, done;
  unsigned bits; int nbits;
  bool bad;
} Stream;

typedef struct Huffman {
  unsigned short count[BITS_MOST + 1];      /* codes of each length */
  unsigned short symbol[LITERALS];          /* in the order of their codes */
} Huffman;

static unsigned take(Stream *s, int n) {
  while (s->nbits < n) {
    if (s->at == s->n) {
      s->bad = true;
      return 0;
    }
    s->bits |= (unsigned)s->from[s->at++] << s->nbits;
    s->nbits += 8;
  }
  unsigned value = s->bits & ((1u << n) - 1);
  s->bits >>= n;
  s->nbits -= n;
  return value;
}

/* false: more codes than the lengths have room for. An incomplete set is allowed, its missing codes are errors when they occur. */
static bool huffman(Huffman *h, const unsigned char *length, int n) {
  unsigned short offset[BITS_MOST + 1];
  memset(h->count, 0, sizeof h->count);
  for (int k = 0; k < n; k++) h->count[length[k]]++;
  h->count[0] = 0;
  int left = 1;
  for (int b = 1; b <= BITS_MOST; b++)
    if ((left = 2 * left - h->count[b]) < 0) return false;
  offset[1] = 0;
  for (int b = 1; b < BITS_MOST; b++) offset[b + 1] = (unsigned short)(offset[b] + h->count[b]);
  for (int k = 0; k < n; k++)
    if (length[k]) h->symbol[offset[length[k]]++] = (unsigned short)k;
  return true;
}

static int decode(Stream *s, const Huffman *h) {
  int code = 0, first = 0, index = 0;
  for (int b = 1; b <= BITS_MOST; b++) {
    code |= (int)take(s, 1);
    int count = h->count[b];
    if (code - count < first) return h->symbol[index + (code - first)];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  s->bad = true;
  return 0;
}

static void stored(Stream *s) {
  s->bits = 0;
  s->nbits = 0;
  if (s->n - s->at < 4) {
    s->bad = true;
    return;
  }
  const unsigned char *p = s->from + s->at;
  size_t len = p[0] | (size_t)p[1] << 8;
  s->at += 4;
  if ((unsigned)(p[2] | p[3] << 8) != (~len & 0xFFFF) || s->n - s->at < len || s->size - s->done < len) s->bad = true;
  else {
    memcpy(s->to + s->done, s->from + s->at, len);
    s->at += len;
    s->done += len;
  }
}

static void compressed(Stream *s, const Huffman *literal, const Huffman *distance) {
  static const unsigned short length_base[29] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const unsigned char length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const unsigned short distance_base[DISTANCES] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  static const unsigned char distance_bits[DISTANCES] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
  while (!s->bad) {
    int symbol = decode(s, literal);
    if (s->bad || symbol == 256) return;
    if (symbol < 256) {
      if (s->done == s->size) s->bad = true;
      else s->to[s->done++] = (unsigned char)symbol;
      continue;
    }
    if ((symbol -= 257) >= 29) break;
    size_t len = length_base[symbol] + take(s, length_bits[symbol]);
    int d = decode(s, distance);
    if (d >= DISTANCES) break;
    size_t back = distance_base[d] + take(s, distance_bits[d]);
    if (s->bad || back > s->done || s->size - s->done < len) break;
    for (size_t k = 0; k < len; k++, s->done++) s->to[s->done] = s->to[s->done - back];
  }
  s->bad = true;
}

static void fixed(Stream *s) {
  unsigned char length[LITERALS];
  Huffman literal, distance;
  for (int k = 0; k < LITERALS; k++) length[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
  huffman(&literal, length, LITERALS);
  memset(length, 5, DISTANCES);
  huffman(&distance, length, DISTANCES);
  compressed(s, &literal, &distance);
}

static void dynamic(Stream *s) {
  static const unsigned char order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned char length[LITERALS + 32] = {0};
  Huffman literal, distance;
  int nliteral = (int)take(s, 5) + 257, ndistance = (int)take(s, 5) + 1, ncode = (int)take(s, 4) + 4;
  if (s->bad || nliteral > LITERALS - 2 || ndistance > DISTANCES) {
    s->bad = true;
    return;
  }
  for (int k = 0; k < ncode; k++) length[order[k]] = (unsigned char)take(s, 3);
  if (!huffman(&literal, length, 19)) s->bad = true;
  memset(length, 0, 19);
  for (int k = 0; k < nliteral + ndistance && !s->bad;) {
    int symbol = decode(s, &literal);
    if (symbol < 16) {
      length[k++] = (unsigned char)symbol;
      continue;
    }
    if (symbol == 16 && !k) s->bad = true;
    unsigned char value = symbol == 16 && k ? length[k - 1] : 0;
    int times = symbol == 16 ? 3 + (int)take(s, 2) : symbol == 17 ? 3 + (int)take(s, 3) : 11 + (int)take(s, 7);
    if (k + times > nliteral + ndistance) s->bad = true;
    while (!s->bad && times--) length[k++] = value;
  }
  if (s->bad || !length[256] || !huffman(&literal, length, nliteral) || !huffman(&distance, length + nliteral, ndistance)) s->bad = true;
  else compressed(s, &literal, &distance);
}

bool inflate_all(const unsigned char *from, size_t nfrom, unsigned char *to, size_t n) {
  Stream s = {.from = from, .n = nfrom, .to = to, .size = n};
  bool last = false;
  while (!last && !s.bad) {
    last = take(&s, 1);
    unsigned kind = take(&s, 2);
    if (s.bad || kind == 3) return false;
    if (kind == 0) stored(&s);
    else if (kind == 1) fixed(&s);
    else dynamic(&s);
  }
  return !s.bad && s.done == n;
}
