; Definitions
(class_declaration "class" name: (identifier) @name) @definition.class
(class_declaration "interface" name: (identifier) @name) @definition.interface
(object_declaration name: (identifier) @name) @definition.class
(companion_object name: (identifier) @name) @definition.class
(companion_object !name "object" @name) @definition.class
(enum_entry (identifier) @name) @definition.constant
(type_alias type: (identifier) @name) @definition.type_alias
(secondary_constructor "constructor" @name) @definition.method
(class_parameter ["val" "var"] . (identifier) @name) @definition.variable
(function_declaration name: (identifier) @name) @definition.function

; Properties of files and types; those of functions are no symbols.
(source_file
  (property_declaration (variable_declaration (identifier) @name)) @definition.variable)
(class_body
  (property_declaration (variable_declaration (identifier) @name)) @definition.variable)
(enum_class_body
  (property_declaration (variable_declaration (identifier) @name)) @definition.variable)
(source_file
  (property_declaration
    (multi_variable_declaration
      (variable_declaration (identifier) @name))) @definition.variable)

; Extensions, with their receiver
(function_declaration
  [
    (user_type . (identifier) @container .)
    (user_type . (identifier) @container . (type_arguments) .)
    (user_type (identifier) . (identifier) .) @container
    (nullable_type (user_type . (identifier) @container .))
    (nullable_type (user_type . (identifier) @container . (type_arguments) .))
    (parenthesized_type (user_type . (identifier) @container))
  ]
  .
  name: (identifier) @name) @definition.function
(source_file
  (property_declaration
    [
      (user_type . (identifier) @container .)
      (user_type . (identifier) @container . (type_arguments) .)
      (user_type (identifier) . (identifier) .) @container
      (nullable_type (user_type . (identifier) @container .))
      (nullable_type (user_type . (identifier) @container . (type_arguments) .))
      (parenthesized_type (user_type . (identifier) @container))
    ]
    .
    (variable_declaration (identifier) @name)) @definition.variable)

; Calls. In a statement `f<A>(b)` is taken for two comparisons.
(call_expression . (identifier) @call)
(call_expression . (navigation_expression (_) @qualifier (identifier) @call .))
(binary_expression
  left: (binary_expression
    left: [
      (identifier) @call
      (navigation_expression (_) @qualifier (identifier) @call .)
    ]
    operator: "<"
    right: (identifier))
  operator: ">"
  right: [(parenthesized_expression) (lambda_literal)])
(infix_expression . (_) @qualifier . (identifier) @call)

; Inheritance: a superclass is constructed, an interface is named.
(delegation_specifier
  (constructor_invocation
    [
      (user_type . (identifier) @extends .)
      (user_type . (identifier) @extends . (type_arguments) .)
      (user_type (identifier) @qualifier . (identifier) @extends .)
      (user_type (identifier) @qualifier . (identifier) @extends . (type_arguments) .)
    ]))
(delegation_specifier
  [
    (user_type . (identifier) @implements .)
    (user_type . (identifier) @implements . (type_arguments) .)
    (user_type (identifier) @qualifier . (identifier) @implements .)
    (user_type (identifier) @qualifier . (identifier) @implements . (type_arguments) .)
  ])
(explicit_delegation
  [
    (user_type . (identifier) @implements .)
    (user_type . (identifier) @implements . (type_arguments) .)
    (user_type (identifier) @qualifier . (identifier) @implements .)
    (user_type (identifier) @qualifier . (identifier) @implements . (type_arguments) .)
  ])
(class_declaration
  "interface"
  (delegation_specifiers
    (delegation_specifier
      [
        (user_type . (identifier) @extends .)
        (user_type . (identifier) @extends . (type_arguments) .)
        (user_type (identifier) @qualifier . (identifier) @extends .)
        (user_type (identifier) @qualifier . (identifier) @extends . (type_arguments) .)
      ])))

; Types, annotations included
(user_type . (identifier) @reference .)
(user_type . (identifier) @reference . (type_arguments) .)
(user_type (identifier) @qualifier . (identifier) @reference .)
(user_type (identifier) @qualifier . (identifier) @reference . (type_arguments) .)

(type_parameter (identifier) @type_parameter)

; Members read: a property is a call that shows no parentheses.
(navigation_expression (_) @qualifier ["." "?."] . (identifier) @reference)
; What a class, a member or a function is referred to by.
(navigation_expression . (identifier) @reference . "::")
((navigation_expression (_) @qualifier "::" . (identifier) @reference)
  (#not-eq? @reference "class"))
(callable_reference (identifier) @reference)
; The object or type that a member is reached through.
((navigation_expression . (identifier) @reference) (#match? @reference "^[A-Z]"))

; Bare values
(value_argument (identifier) @reference .)
(value_argument (spread_expression (identifier) @reference))
(property_declaration (identifier) @reference)
(property_delegate (identifier) @reference)
(explicit_delegation (identifier) @reference)
(assignment right: (identifier) @reference)
(return_expression (identifier) @reference)
(function_body . (identifier) @reference)
(collection_literal (identifier) @reference)
(class_parameter (identifier) @reference .)
(when_entry (identifier) @reference)

; Imports and comments
(import) @import
((line_comment) @comment (#not-match? @comment "^//[$](?:end|mended)$"))
((source_file (line_comment) @_end) @error (#eq? @_end "//$mended"))
(block_comment) @comment
