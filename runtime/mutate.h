/* Mutants of violation formulas: what `pde test --mutate` changes, one at a time, to see whether a test notices. */
#ifndef MUTATE_H
#define MUTATE_H
#include "../lang/ast.h"

/* Applies mutation k (from 0) to the syntax tree of a program in place; says what it did, with the line. false: there are no more. */
bool mutate_apply(Program *program, int k, Buf *what);

#endif
