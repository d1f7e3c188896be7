; What the grammars of JavaScript, TypeScript and TSX have in common. Patterns that look into an
; expression are merged where they can be: each costs milliseconds when the query is compiled.

; Functions and classes
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(function_expression name: (_) @name) @definition.function
(generator_function name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.function

; Functions and classes as values: what the value is decides the kind
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function) (class)] @value)
  @definition.function
(pair
  key: (_) @name
  value: [(arrow_function) (function_expression) (generator_function) (class)] @value)
  @definition.function
(pair
  key: (_) @name
  value: (object [
    (method_definition)
    (pair value: [(arrow_function) (function_expression) (generator_function)])
  ])) @scope

; Variables of the module
(program [
  (lexical_declaration [
    (variable_declarator name: (identifier) @name) @definition.variable
    (variable_declarator name: (object_pattern (_) @name @definition.variable))
    (variable_declarator name: (array_pattern (_) @name @definition.variable))
  ])
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
])
(export_statement declaration: [
  (lexical_declaration [
    (variable_declarator name: (identifier) @name) @definition.variable
    (variable_declarator name: (object_pattern (_) @name @definition.variable))
    (variable_declarator name: (array_pattern (_) @name @definition.variable))
  ])
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
])

; A file beyond repair has no module, only a heap of statements
(ERROR (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))

; Default exports without a name
(export_statement value: [
  (arrow_function) @definition.function
  (function_expression) @definition.function
  (generator_function) @definition.function
  (class) @definition.class
  (object) @definition.variable
  (array) @definition.variable
  (call_expression) @definition.variable
  (new_expression) @definition.variable
  (identifier) @reference
])

; Calls
(call_expression function: [
  (identifier) @call
  (member_expression object: (_) @qualifier property: (_) @call)
  (import) @import
])
(new_expression constructor: [
  (identifier) @call
  (member_expression object: (_) @qualifier property: (_) @call)
])

; References
(arguments [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(variable_declarator value: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(assignment_expression right: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(return_statement [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(pair value: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(switch_case value: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(assignment_pattern right: (identifier) @reference)
(arrow_function body: (identifier) @reference)
(array (identifier) @reference)
(shorthand_property_identifier) @reference
(spread_element (identifier) @reference)
(binary_expression operator: "instanceof" right: (identifier) @reference)
(decorator [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(export_statement !source (export_clause (export_specifier name: (identifier) @reference)))

; Imports and comments
(import_statement) @import
(export_statement source: (_)) @import
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) .)
  (#eq? @_require "require")) @import
(comment) @comment
