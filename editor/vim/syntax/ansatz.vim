" Syntax of .pde files.
if exists('b:current_syntax') | finish | endif
syntax keyword pdeReserved and or not in by at to with where on if then else for while return break continue import as assert needs
syntax keyword pdeBoolean true false
syntax match pdeKind /^\s*\zs\(geometry\|pde\|study\|map\|model\|dataset\|discovery\|hypothesis\|surrogate\|contracts\?\|view\|policy\|search\|fn\|field\|param\|test\|unit\|check\|audit\|accept\|reject\|skip\|unknown\|equation\|weak\|boundary\|region\|periodic\|probe\|include\|hard\|soft\)\ze\s\+["0-9A-Za-z_]/
syntax match pdeClause /^\s*\zs\(initially\|shape\|violation\|tolerance\|severity\)\ze\s*[:=]/
syntax keyword pdeOperator grad div lap curl eps dt dtt dx dy dz tr det inv transpose dev dot cross outer inner jump avg integral norm flux mean
syntax keyword pdeFunction solve mesh print plot export save load refine rectangle interval box disk annulus polygon polyline lshape cylinder sphere import_mesh
syntax keyword pdeElement P1 P2 P3 DG0 DG1 Q1 Q2 scalar vector tensor number
syntax match pdeNumber /\<\d[0-9_]*\(\.\d\+\)\?\([eE][-+]\?\d\+\)\?%\?/
syntax match pdeUnit /\(\d\|\<to\)\s*\zs\[[A-Za-z0-9µμ°%*\/^ ()-]\+\]/
syntax match pdeSymbol /[∇Δ∂·×⊗²³π≤≥≠∈]/
syntax region pdeString start=/"/ skip=/\\./ end=/"/ oneline contains=pdeHole
syntax region pdeHole start=/{/ end=/}/ contained
syntax match pdeComment /#.*$/
syntax match pdeDoc /##.*$/
highlight default link pdeReserved Keyword
highlight default link pdeBoolean Boolean
highlight default link pdeKind Structure
highlight default link pdeClause Label
highlight default link pdeOperator Operator
highlight default link pdeSymbol Operator
highlight default link pdeFunction Function
highlight default link pdeElement Type
highlight default link pdeNumber Number
highlight default link pdeUnit Special
highlight default link pdeString String
highlight default link pdeHole Special
highlight default link pdeComment Comment
highlight default link pdeDoc SpecialComment
let b:current_syntax = 'ansatz'
