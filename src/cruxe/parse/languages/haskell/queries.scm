; Functions: signatures and equations apart, of which the rules make one and drop local ones.
; A pattern that starts at the file's list of declarations would be open through the whole file.
(signature name: (_) @name) @definition.function
(signature names: (binding_list name: (_) @name)) @definition.function
(function name: (_) @name) @definition.function
(function (infix operator: (_) @name)) @definition.function
(function parens: (function_head_parens (infix operator: (_) @name))) @definition.function
(bind name: (_) @name) @definition.function
(bind pattern: (tuple (variable) @name) match: (_)) @definition.function
(foreign_import signature: (signature name: (_) @name)) @definition.function
(pattern_synonym (signature synonym: (_) @name)) @definition.function
(pattern_synonym (equation synonym: (_) @name)) @definition.function

; Types
(data_type name: (_) @name) @definition.enum
(data_type (infix operator: (_) @name)) @definition.enum
(newtype name: (_) @name) @definition.struct
(data_family name: (_) @name) @definition.struct
(type_synonym name: (_) @name) @definition.type_alias
(type_synonym (infix operator: (_) @name)) @definition.type_alias
(type_family name: (_) @name) @definition.type_alias
(class name: (_) @name) @definition.trait
(class (infix operator: (_) @name)) @definition.trait
(instance patterns: (type_patterns . (_) @name)) @scope

; Constructors and fields; a record's constructor is its name, so that the fields are the type's
(data_constructor constructor: (prefix name: (_) @name)) @definition.constant
(data_constructor constructor: (infix operator: (_) @name)) @definition.constant
(data_constructor constructor: (record name: (_) @name @definition.constant))
(newtype_constructor name: (_) @name @definition.constant)
(gadt_constructor name: (_) @name) @definition.constant
(gadt_constructor names: (binding_list name: (_) @name)) @definition.constant
(field name: (field_name (variable) @name)) @definition.variable

; Calls: what is applied, alone a statement, or on the left of an operator that applies it
(apply function: [
  (variable) @call
  (qualified module: (module (module_id) @qualifier . "." .) id: (variable) @call)
])
(exp [
  (variable) @call
  (qualified module: (module (module_id) @qualifier . "." .) id: (variable) @call)
])
(bind expression: [
  (variable) @call
  (qualified module: (module (module_id) @qualifier . "." .) id: (variable) @call)
])
((infix
   left_operand: [
     (variable) @call
     (qualified module: (module (module_id) @qualifier . "." .) id: (variable) @call)
   ]
   operator: (operator) @_operator)
  (#any-of? @_operator "$" "$!" "." "<$>" "=<<" "<=<" ">=>" ">>=" ">>" "*>" "<*"))
((infix operator: (operator) @call)
  (#not-match? @call
    "^(?:[$.<>+*/^!&:-]|[$]!|<>|[+][+]|&&|[|][|]|[=/<>]=|[*^][*^]|>>=?|=<<|<[$|&]>|<[$]|[$]>|<?[*]>|<[*]|!!|>=>|<=<|[*]{3}|&&&)$"))
(infix operator: (infix_id [
  (variable) @call
  (qualified module: (module (module_id) @qualifier . "." .) id: (variable) @call)
]))

; Inheritance
(class context: (context [
  (apply constructor: (name) @extends)
  (parens (apply constructor: (name) @extends))
  (tuple (apply constructor: (name) @extends))
]))
(instance name: [
  (name) @implements
  (qualified module: (module (module_id) @qualifier . "." .) id: (name) @implements)
])
(deriving_instance name: (name) @implements)
(deriving classes: [
  (name) @implements
  (parens (name) @implements)
  (tuple (name) @implements)
])

; Types
[
  (apply constructor: (name) @reference)
  (apply argument: (name) @reference)
  (function parameter: (name) @reference)
  (function result: (name) @reference)
  (signature type: (name) @reference)
  (context type: (name) @reference)
  (field type: (name) @reference)
  (strict_field type: (name) @reference)
  (prefix field: (name) @reference)
  (newtype_constructor field: (field (name) @reference))
  (list element: (name) @reference)
  (tuple element: (name) @reference)
  (parens type: (name) @reference)
  (type_synonym type: (name) @reference)
  (type_patterns (name) @reference)
  (type_application type: (name) @reference)
  (th_quoted_name (name) @reference)
  (via type: (name) @reference)
]

; Constructors, in expressions and patterns alike
(constructor) @reference
(field_update field: (field_name (variable) @reference))

; Whatever is named with its module, in types, patterns and expressions
(qualified module: (module (module_id) @qualifier . "." .) id: (_) @reference)

; Values handed on: names of several words, as others are nearly always local
([
  (apply argument: (variable) @reference)
  (infix right_operand: (variable) @reference)
  (list element: (variable) @reference)
  (match expression: (variable) @reference)
  (field_update expression: (variable) @reference)
] (#match? @reference "^[a-z_][\\w']*[A-Z_][\\w']*$"))

; Imports and comments
(import) @import
(haddock) @comment
(comment) @comment
