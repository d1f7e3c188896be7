; Functions
(function_declaration name: (identifier) @name) @definition.function
(function_declaration
  name: (dot_index_expression table: (_) @container field: (identifier) @name))
  @definition.function
(function_declaration
  name: (method_index_expression table: (_) @container method: (identifier) @name))
  @definition.method

; Functions as values: `local f = function`, `M.f = function`, fields of tables. Of two patterns
; that find one name, the one that captures more wins.
(variable_declaration
  "local" @local
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition) @value))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition) @value)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @container field: (identifier) @name))
  (expression_list . value: (function_definition) @value)) @definition.function
(assignment_statement
  (variable_list . name: (bracket_index_expression
    table: (_) @container field: (string content: (string_content) @name)))
  (expression_list . value: (function_definition) @value)) @definition.function
(field
  name: [(identifier) @name (string content: (string_content) @name)]
  value: (function_definition) @value) @definition.function
(field
  name: [(identifier) @name (string content: (string_content) @name)]
  value: (table_constructor (field name: (_) value: (function_definition)))) @scope

; Variables of the chunk
(chunk [
  (variable_declaration [
    (assignment_statement (variable_list name: (identifier) @name))
    (variable_list name: (identifier) @name)
  ]) @definition.variable
  (assignment_statement (variable_list name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
  ])) @definition.variable
])

; Members of a table that `---@enum` names; the rules drop all others
(chunk [
  (variable_declaration (assignment_statement
    (expression_list (table_constructor (field name: (identifier) @name) @definition.constant))))
  (assignment_statement
    (expression_list (table_constructor (field name: (identifier) @name) @definition.constant)))
])

; Types that only comments define
((comment) @definition.class
  (#match? @definition.class "^---+ ?@(?:class|alias|enum|field)\\b"))

; Calls
(function_call name: [
  (identifier) @call
  (dot_index_expression table: (_) @qualifier field: (identifier) @call)
  (method_index_expression table: (_) @qualifier method: (identifier) @call)
])

; Inheritance, as far as tables that take their fields from another tell
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (identifier) @_setmetatable
  arguments: (arguments
    (table_constructor (field name: (identifier) @_index value: (identifier) @extends))))))
  (#eq? @_setmetatable "setmetatable")
  (#eq? @_index "__index")))
(chunk (function_call
  name: (identifier) @_setmetatable
  arguments: (arguments
    . (identifier)
    . (table_constructor (field name: (identifier) @_index value: (identifier) @extends))))
  (#eq? @_setmetatable "setmetatable")
  (#eq? @_index "__index"))
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (method_index_expression table: (identifier) @extends method: (identifier) @_extend)))
  (#match? @_extend "^(?:extend|subclass|derive)$"))))

; Values handed on
(arguments [
  (identifier) @reference
  (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference)
])
(expression_list [
  (identifier) @reference
  (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference)
])
(field value: [
  (identifier) @reference
  (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference)
])

; Imports and comments
((function_call name: (identifier) @_require) @import (#eq? @_require "require"))
((function_call
   name: (identifier) @_call
   arguments: (arguments . (identifier) @_require . (string))) @import
  (#eq? @_call "pcall")
  (#eq? @_require "require"))
(comment) @comment
