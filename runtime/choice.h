/* Words that an argument may be: schemes, solvers, norms. Checked before anything runs, so that a misspelt one is answered with those that exist. */
#ifndef CHOICE_H
#define CHOICE_H
#include "builtin.h"

bool choice_exists(const BuiltinParam *param);                       /* are the words of this argument a table? */
bool choice_has(const char *word);                                   /* is it a row of any of the tables? */
bool choice_likely(const BuiltinParam *param, const char *word);     /* a misspelt row rather than a name of something else */
/* false: it was reported, with the rows that there are. */
bool choice_check(Eval *ev, const BuiltinParam *param, const Value *v, Span span);

#endif
