/* The grammar of .pde files (docs/language.md, "Grammar"). It knows shapes only: the words of kinds and clauses are names. */
%define api.pure full
%define api.prefix {parse_}
%define api.location.type {Span}
%define parse.error custom
/* Without it an empty statement would be reduced before the error is seen, and recovery would drop the statements before. */
%define lr.default-reduction consistent
%locations
%expect 0
%param {Scan *scan}
%code requires { #include "scan.h" }
%union {
  Token token;
  Ast *node;
  NodeList list;
}
%{
#include "parse.h"

/* Everything the parser allocates belongs to the program's arena, so an escape from it leaks nothing. */
#define YYMALLOC(bytes) arena_alloc(scan->arena, (size_t)(bytes))
#define YYFREE(memory) ((void)(memory))
#define YYSTACK_USE_ALLOCA 0
#define YYMAXDEPTH SCAN_STACK

#define YYLLOC_DEFAULT(Current, Rhs, N)                                                     \
  do {                                                                                      \
    if (N) (Current) = (Span){YYRHSLOC(Rhs, 1).start, YYRHSLOC(Rhs, N).end};                \
    else (Current) = (Span){YYRHSLOC(Rhs, 0).end, YYRHSLOC(Rhs, 0).end};                    \
  } while (0)

static int parse_lex(PARSE_STYPE *value, Span *span, Scan *scan);
static void parse_error(Span *span, Scan *scan, const char *message);
%}

%token <token> NL NAME NUMBER STRING FBEGIN FTEXT FOPEN FFORMAT FCLOSE FEND
%token <token> AND OR NOT IN BY AT TO WITH WHERE IF THEN ELSE FOR WHILE RETURN IMPORT AS ASSERT NEEDS ON TRUE FALSE BREAK CONTINUE
%token <token> EQ CMP CAT DOTDOT TIMES PREFIX SQUARED
%token <token> '{' '}' '(' ')' '[' ']' '=' ':' ',' ';' '.' '+' '-' '*' '/' '&' '^'

%type <node> block stmt ifstmt target value phrase item expr fpart arg names_target
%type <list> stmts words exprs args fparts names
%type <token> label

/* From loose to tight. ITEM, below all operators, makes an expression of a phrase as long as it can be. */
%precedence ITEM
%precedence WHERE ELSE
%left OR
%left AND
%precedence NOT
%nonassoc EQ
%left CMP IN
%left TO
%nonassoc DOTDOT
%precedence BY
%left '+' '-' CAT
%nonassoc AT
%left '*' '/' '&' TIMES
%precedence PREFIX
%right '^'
%precedence SQUARED WITH
%precedence '(' '[' '.'
%precedence ATOM
%%
program: stmts { scan->root = build_list(scan, AST_BLOCK, @$, NULL, $1); (void)yynerrs; } ;
sep: NL { yyerrok; } | ';' { yyerrok; } ;
stmts: stmt { $$ = build_add(scan, (NodeList){0}, $1); }
    | stmts sep stmt { $$ = build_add(scan, $1, $3); } ;
open: '{' { yyerrok; } ;
block: open stmts '}' { $$ = build_list(scan, AST_BLOCK, @$, NULL, $2); } ;

stmt: %empty { $$ = NULL; }
    | error { $$ = NULL; }
    | error block { $$ = NULL; }      /* what the block of a broken statement holds is still read */
    | expr { $$ = build(scan, AST_EXPR, @$, 1, $1); }
    | expr '=' value { $$ = build_assign(scan, @$, $1, $3); }
    | expr ':' phrase { $$ = build(scan, AST_OPTION, @$, 3, $1, $3, NULL); }
    | expr ':' phrase block { $$ = build(scan, AST_OPTION, @$, 3, $1, $3, $4); }
    | NAME block { $$ = build_named(scan, AST_OPTIONS, @$, &$1, $2); }
    | NAME phrase { $$ = build_decl(scan, @$, &$1, $2, NULL, NULL, 0); }
    | NAME phrase block { $$ = build_decl(scan, @$, &$1, $2, NULL, $3, 0); }
    | NAME phrase '=' value { $$ = build_decl(scan, @$, &$1, $2, $4, NULL, 0); }
    | NAME phrase ':' phrase { $$ = build_decl(scan, @$, &$1, $2, $4, NULL, AST_WITH_COLON); }
    | NAME phrase ':' phrase block { $$ = build_decl(scan, @$, &$1, $2, $4, $5, AST_WITH_COLON); }
    | ON exprs ':' expr { $$ = build(scan, AST_ON, @$, 2, build_subjects(scan, @2, $2), $4); }
    | ON exprs block {
        $$ = build(scan, AST_ON, @$, 2, build_subjects(scan, @2, $2), $3);
        $$->flags |= AST_BLOCK_FORM;
      }
    | ifstmt
    | FOR target IN expr block {
        $$ = build(scan, AST_FOR, @$, 3, $2, $4, $5);
        $$->name = $2->kind == AST_NAME ? $2->name : NULL;
      }
    | WHILE expr block { $$ = build(scan, AST_WHILE, @$, 2, $2, $3); }
    | RETURN { $$ = build(scan, AST_RETURN, @$, 1, NULL); }
    | RETURN expr { $$ = build(scan, AST_RETURN, @$, 1, $2); }
    | BREAK { $$ = build(scan, AST_BREAK, @$, 0); }
    | CONTINUE { $$ = build(scan, AST_CONTINUE, @$, 0); }
    | IMPORT STRING { $$ = build_token(scan, AST_IMPORT, &$2); $$->span = @$; }
    | IMPORT STRING AS NAME { $$ = build_token(scan, AST_IMPORT, &$2); $$->span = @$; $$->name = $4.name; }
    | ASSERT expr { $$ = build(scan, AST_ASSERT, @$, 2, $2, NULL); }
    | ASSERT expr ',' expr { $$ = build(scan, AST_ASSERT, @$, 2, $2, $4); }
    | NEEDS expr ELSE expr { $$ = build(scan, AST_NEEDS, @$, 2, $2, $4); }
    ;
ifstmt: IF expr block { $$ = build(scan, AST_IF, @$, 3, $2, $3, NULL); }
    | IF expr block ELSE block { $$ = build(scan, AST_IF, @$, 3, $2, $3, $5); }
    | IF expr block ELSE ifstmt { $$ = build(scan, AST_IF, @$, 3, $2, $3, $5); } ;
target: NAME { $$ = build_token(scan, AST_NAME, &$1); } | names_target ;
names_target: '(' names ')' { $$ = $2.n == 1 ? $2.item[0] : build_list(scan, AST_TUPLE, @$, NULL, $2); } ;
names: NAME { $$ = build_add(scan, (NodeList){0}, build_token(scan, AST_NAME, &$1)); }
    | names ',' NAME { $$ = build_add(scan, $1, build_token(scan, AST_NAME, &$3)); } ;
value: expr
    | NAME phrase { $$ = build_decl(scan, @$, &$1, $2, NULL, NULL, 0); }
    | NAME phrase block { $$ = build_decl(scan, @$, &$1, $2, NULL, $3, 0); } ;

phrase: words %prec ITEM { $$ = build_list(scan, AST_PHRASE, @$, NULL, $1); } ;
words: item { $$ = build_add(scan, (NodeList){0}, $1); }
    | words item { $$ = build_add(scan, $1, $2); }
    | words ',' item { $3->flags |= AST_AFTER_COMMA; $$ = build_add(scan, $1, $3); } ;
item: expr %prec ITEM
    | ON expr %prec ITEM { $$ = $2; $$->flags |= AST_WITH_ON; }
    | FOR expr %prec ITEM { $$ = $2; $$->flags |= AST_WITH_FOR; } ;
exprs: expr { $$ = build_add(scan, (NodeList){0}, $1); }
    | exprs ',' expr { $$ = build_add(scan, $1, $3); } ;

expr: NAME %prec ATOM { $$ = build_token(scan, AST_NAME, &$1); }
    | NUMBER %prec ITEM { $$ = build_number(scan, @$, &$1, NULL); }
    | NUMBER '[' expr ']' { $$ = build_number(scan, @$, &$1, $3); }
    | STRING %prec ITEM { $$ = build_token(scan, AST_STRING, &$1); }
    | FBEGIN fparts FEND { $$ = build_list(scan, AST_FSTRING, @$, NULL, $2); }
    | TRUE { $$ = build_token(scan, AST_BOOL, &$1); $$->number = 1; }
    | FALSE { $$ = build_token(scan, AST_BOOL, &$1); }
    | '(' args ')' { $$ = build_tuple(scan, @$, $2); }
    | '[' ']' { $$ = build(scan, AST_LIST, @$, 0); }
    | '[' exprs ']' { $$ = build_list(scan, AST_LIST, @$, NULL, $2); }
    | expr '(' ')' { $$ = build(scan, AST_CALL, @$, 1, $1); }
    | expr '(' args ')' { $$ = build_list(scan, AST_CALL, @$, $1, $3); }
    | expr '[' exprs ']' { $$ = build_list(scan, AST_INDEX, @$, $1, $3); }
    | expr '.' NAME { $$ = build_named(scan, AST_MEMBER, @$, &$3, $1); }
    | expr WITH '(' args ')' { $$ = build_list(scan, AST_WITH, @$, $1, $4); }
    | expr AT expr { $$ = build_infix(scan, OP_AT, 0, $1, $3); }
    | expr SQUARED { $$ = build_prefix(scan, $2.op, $2.flags, @$, $1); }
    | expr '^' expr { $$ = build_infix(scan, OP_POW, 0, $1, $3); }
    | '-' expr %prec PREFIX { $$ = build_prefix(scan, OP_NEG, 0, @$, $2); }
    | PREFIX expr { $$ = build_prefix(scan, $1.op, $1.flags, @$, $2); }
    | expr '*' expr { $$ = build_infix(scan, OP_MUL, 0, $1, $3); }
    | expr '&' expr { $$ = build_infix(scan, OP_AND_GEOM, 0, $1, $3); }
    | expr '/' expr { $$ = build_infix(scan, OP_DIV, 0, $1, $3); }
    | expr TIMES expr { $$ = build_infix(scan, $2.op, $2.flags, $1, $3); }
    | expr '+' expr { $$ = build_infix(scan, OP_ADD, 0, $1, $3); }
    | expr '-' expr { $$ = build_infix(scan, OP_SUB, 0, $1, $3); }
    | expr CAT expr { $$ = build_infix(scan, OP_CAT, 0, $1, $3); }
    | expr DOTDOT expr { $$ = build(scan, AST_RANGE, @$, 3, $1, $3, NULL); }
    | expr DOTDOT expr BY expr { $$ = build(scan, AST_RANGE, @$, 3, $1, $3, $5); }
    | expr TO expr { $$ = build_infix(scan, OP_TO, 0, $1, $3); }
    | expr EQ expr { $$ = build(scan, AST_EQUATION, @$, 2, $1, $3); }
    | expr CMP expr { $$ = build_infix(scan, $2.op, $2.flags, $1, $3); }
    | expr IN expr { $$ = build_infix(scan, OP_IN, $2.flags, $1, $3); }
    | NOT expr { $$ = build_prefix(scan, OP_NOT, 0, @$, $2); }
    | expr AND expr { $$ = build_infix(scan, OP_AND, 0, $1, $3); }
    | expr OR expr { $$ = build_infix(scan, OP_OR, 0, $1, $3); }
    | WHERE expr { $$ = build(scan, AST_WHERE, @$, 1, $2); }
    | IF expr THEN expr ELSE expr { $$ = build(scan, AST_IFEXPR, @$, 3, $2, $4, $6); }
    ;
fparts: %empty { $$ = (NodeList){0}; } | fparts fpart { $$ = build_add(scan, $1, $2); } ;
fpart: FTEXT { $$ = build_token(scan, AST_FTEXT, &$1); }
    | FOPEN expr FCLOSE { $$ = build(scan, AST_FPART, @$, 1, $2); }
    | FOPEN expr FFORMAT FCLOSE { $$ = build(scan, AST_FPART, @$, 1, $2); $$->text = $3.text; } ;
args: arg { $$ = build_add(scan, (NodeList){0}, $1); }
    | args ',' arg { $$ = build_add(scan, $1, $3); } ;
arg: expr
    | label ':' expr { $$ = build_arg(scan, @$, $1.name, $3, NULL); }
    | label ':' expr '=' expr { $$ = build_arg(scan, @$, $1.name, $3, $5); }
    | NAME '=' expr { $$ = build_arg(scan, @$, $1.name, NULL, $3); } ;
label: NAME | ON | AT | BY | IN | TO | FOR | WITH | AS | AND | OR | NOT | WHERE | IF | THEN | ELSE | WHILE | RETURN | BREAK
    | CONTINUE | IMPORT | ASSERT | NEEDS | TRUE | FALSE ;
%%
static int parse_lex(PARSE_STYPE *value, Span *span, Scan *scan) {
  Token *token = scan_next(scan);
  value->token = *token;
  *span = token->span;
  return token->kind;
}

static void parse_error(Span *span, Scan *scan, const char *message) {
  (void)span, (void)message;    /* only "memory exhausted" comes here */
  syntax_exhausted(scan);
}

/* What could stand at the error, in classes that syntax.c has words for. */
static int yyreport_syntax_error(const yypcontext_t *context, Scan *scan) {
  yysymbol_kind_t symbols[YYNTOKENS];
  int n = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
  unsigned expected = 0;
  for (int i = 0; i < n; i++) switch (symbols[i]) {
    case YYSYMBOL_NAME: expected |= EXPECT_NAME; break;
    case YYSYMBOL_NUMBER: expected |= EXPECT_EXPR; break;
    case YYSYMBOL_STRING: expected |= EXPECT_STRING; break;
    case YYSYMBOL_NL: expected |= EXPECT_END; break;
    case YYSYMBOL_THEN: expected |= EXPECT_THEN; break;
    case YYSYMBOL_ELSE: expected |= EXPECT_ELSE; break;
    case YYSYMBOL_IN: expected |= EXPECT_IN; break;
    default:
      if (symbols[i] == YYTRANSLATE('{')) expected |= EXPECT_BLOCK;
      if (symbols[i] == YYTRANSLATE(')') || symbols[i] == YYTRANSLATE(']')) expected |= EXPECT_CLOSE;
      if (symbols[i] == YYTRANSLATE(':')) expected |= EXPECT_COLON;
  }
  syntax_unexpected(scan, expected);
  return 0;
}
