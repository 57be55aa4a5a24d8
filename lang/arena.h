/* Bump arena: memory of one owner that is freed as a whole. Allocation never returns NULL: when memory runs out it jumps
 * to the arena's escape, which the entry of the front end sets (only front-end frames lie between, see docs/architecture.md),
 * or ends the process with status 70 where no escape is set. */
#ifndef ARENA_H
#define ARENA_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);                 /* NULL when memory is out */
void arena_free(Arena *arena);          /* NULL is fine */
void arena_escape(Arena *arena, jmp_buf *escape);
void *arena_alloc(Arena *arena, size_t bytes);  /* zeroed, 16-byte aligned */
char *arena_text(Arena *arena, const char *text, size_t len);  /* copy, NUL added */
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t arena_bytes(const Arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_alloc((arena), (size_t)(n) * sizeof(type)))

/* The last word where nothing can be handed back: says so and ends the process with status 7. */
_Noreturn void memory_out(void);

/* Test hook: the n-th system allocation of the front end fails (0: none). Counts in arena, buf and intern. */
void memory_fail_at(long n);
bool memory_due(void);                /* is this the one that fails? counts it */
bool memory_armed(void);              /* it has not come yet */
void *memory_try(void *old, size_t bytes);  /* realloc that honours the hook; NULL on failure */

#endif
