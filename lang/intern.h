/* Interned names: equal names of one interner are the same pointer. */
#ifndef INTERN_H
#define INTERN_H
#include <stddef.h>

#include "arena.h"

typedef const char *Name;   /* NUL-terminated UTF-8, owned by its interner */
typedef struct Interner Interner;

Interner *interner_new(void);    /* NULL when memory is out */
void interner_free(Interner *names);
void interner_escape(Interner *names, jmp_buf *escape);
Name intern(Interner *names, const char *text, size_t len);
Name intern_text(Interner *names, const char *text);

/* The nearest of n candidates to a misspelt word (Damerau-Levenshtein), or NULL when none is near enough to suggest. */
Name nearest_name(const char *word, const Name *candidates, int n);

#endif
