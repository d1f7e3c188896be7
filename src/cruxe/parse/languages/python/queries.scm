; Definitions
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type_alias
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type_alias

; Assignments. Several names of one stand each for itself, or one would lie inside the other. What
; begins with a module or a class is one pattern each: every one is tried at every child.
(module
  (expression_statement
    [
      (assignment left: (identifier) @name) @definition.variable
      (assignment
        left: [
          (pattern_list (identifier) @name @definition.variable)
          (tuple_pattern (identifier) @name @definition.variable)
        ])
      (assignment right: (assignment left: (identifier) @name @definition.variable))
    ]))
(class_definition
  body: (block
    (expression_statement
      [
        (assignment left: (identifier) @name) @definition.variable
        (assignment left: (pattern_list (identifier) @name @definition.variable))
      ])))

; Conditional assignments; the rules drop those of functions.
(if_statement
  consequence: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(elif_clause
  consequence: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(else_clause
  body: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(try_statement
  body: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(except_clause
  (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))
(with_statement
  body: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variable)))

; Calls
(call function: (identifier) @call)
(call function: (attribute object: (_) @qualifier attribute: (identifier) @call))

; Inheritance
(class_definition
  superclasses: (argument_list
    [
      (identifier) @extends
      (attribute object: (_) @qualifier attribute: (identifier) @extends)
      (subscript value: (identifier) @extends)
      (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @extends))
      (subscript subscript: (identifier) @reference)
    ]))

; Decorators and types
((decorator (identifier) @reference)
  (#not-match? @reference "^(?:property|staticmethod|classmethod)$"))
(decorator (attribute object: (_) @qualifier attribute: (identifier) @reference))
([(type (identifier) @reference) (type (generic_type (identifier) @reference))]
  (#not-match? @reference
    "^(?:bool|bytes|dict|float|frozenset|int|list|object|set|str|tuple|type)$"))
(type (attribute object: (_) @qualifier attribute: (identifier) @reference))
(type (subscript value: (identifier) @reference))
(type
  (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference)))
(type (subscript subscript: (identifier) @reference))
(type (binary_operator (identifier) @reference))
(type (binary_operator (attribute object: (_) @qualifier attribute: (identifier) @reference)))
(type (binary_operator (binary_operator (identifier) @reference)))
((type (string (string_content) @reference)) (#match? @reference "^[^\\W\\d]\\w*$"))

; Values handed on
(argument_list (identifier) @reference)
(argument_list (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(keyword_argument value: (identifier) @reference)
(keyword_argument
  value: (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(default_parameter value: (identifier) @reference)
(default_parameter
  value: (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(typed_default_parameter value: (identifier) @reference)
(typed_default_parameter
  value: (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(assignment right: (identifier) @reference)
(assignment
  right: (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(return_statement (identifier) @reference)
(return_statement (attribute object: (_) @qualifier attribute: (identifier) @reference))
(list (identifier) @reference)
(list (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(tuple (identifier) @reference)
(tuple (attribute object: (identifier) @qualifier attribute: (identifier) @reference))
(set (identifier) @reference)
(pair value: (identifier) @reference)
(pair value: (attribute object: (identifier) @qualifier attribute: (identifier) @reference))

; Exceptions and patterns
(except_clause value: (identifier) @reference)
(except_clause
  value: (attribute object: (_) @qualifier attribute: (identifier) @reference))
(except_clause value: (as_pattern (identifier) @reference))
(except_clause
  value: (as_pattern (attribute object: (_) @qualifier attribute: (identifier) @reference)))
(raise_statement . (identifier) @reference)
(raise_statement . (attribute object: (_) @qualifier attribute: (identifier) @reference))
(class_pattern (dotted_name . (identifier) @reference .))
(class_pattern (dotted_name (identifier) @qualifier . (identifier) @reference .))
(case_pattern (dotted_name (identifier) @qualifier . (identifier) @reference .))
(union_pattern (dotted_name (identifier) @qualifier . (identifier) @reference .))

; Imports and comments
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(comment) @comment
(module . (expression_statement (string) @comment))
(module . (comment)+ . (expression_statement (string) @comment))
