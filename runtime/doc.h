/* Documentation by name, out of the tables of the language and the ## lines of files. */
#ifndef DOC_H
#define DOC_H
#include "host.h"

/* Appends what is known of a name: builtin, geometry, element, scheme, solver, kind, keyword, diagnostic, list, file of the standard library, item of one,
 * script. The kind of what it is ("function", "diagnostic", ...), or NULL: nothing is known. style: of the formulas of contracts. */
const char *doc_print(Host *host, Buf *out, const char *name, ExprStyle style);
void doc_report_unknown(Host *host, const char *name);     /* E0960 with the nearest name */

/* Declaration as documentation: its head and its ## lines. */
void doc_declaration(Buf *out, const Source *source, const Ast *decl);
const char *doc_declared_name(const Ast *node);            /* of a DECL or ASSIGN; NULL: none */

/* Every documented name, for completion and suggestions; the array is the caller's, the names are not. */
int doc_names(Host *host, Name **out);

void doc_fill(Buf *out, const char *text);                 /* a paragraph in lines of at most 79 columns */

extern const char *const doc_keywords[][2];                /* word, what it is for; ended by NULL */

#endif
