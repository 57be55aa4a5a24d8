/* An expression of places, t and inputs, taken apart: rows (of places, or places and t), numbers (of inputs, or inputs and t), and what joins them. */
#ifndef FORMULA_SPLIT_H
#define FORMULA_SPLIT_H
#include "../lang/expr.h"

enum { BY_PLACE = 1, BY_TIME = 2, BY_INPUT = 4 };

typedef struct Parts { Expr **item; Name *name; int n; } Parts;

typedef struct Split {
  Expr **joined; int n;            /* the expressions, with PARAM leaves where parts were: their names are those of the part */
  Parts rows, timed_rows;          /* of places; of places and t */
  Parts numbers, timed_numbers;    /* of inputs; of t, or inputs and t */
} Split;

/* rows_in_time false: what depends on places and t stays where it is. is_input: of PARAM leaves; in_time: those that are histories. */
void split_open(ExprPool *pool, Interner *names, Expr *const *exprs, int n, bool rows_in_time, bool (*is_input)(Expr *leaf, void *user),
                bool (*in_time)(Expr *leaf, void *user), void *user, Split *out);
void split_close(Split *split);
/* Part whose name it is, or -1. */
int parts_find(const Parts *parts, Name name);

#endif
