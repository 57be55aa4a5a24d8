/* Large arrays. The first touch of a small page costs a third of the time of a mesh or matrix; arrays over 4 MB are aligned to 2 MB and ask for
 * huge pages. Freed by free(). Never NULL: without memory the process ends with status 7. */
#ifndef BIG_H
#define BIG_H
#include <stddef.h>

void *big_alloc(size_t bytes);                             /* uninitialised */
void *big_zeroed(size_t bytes);
void *big_resize(void *old, size_t used, size_t bytes);    /* keeps the first `used` bytes; frees old (may be NULL) */
void *big_copy(const void *from, size_t bytes);
size_t big_memory(void);                                   /* physical memory of the machine in bytes */

#define BIG_ARRAY(type, n) ((type *)big_alloc((size_t)(n) * sizeof(type)))
#define BIG_ZEROED(type, n) ((type *)big_zeroed((size_t)(n) * sizeof(type)))

#endif
