; Definitions. Specs inside functions are matched too; the rules drop them.
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @container
        (pointer_type (type_identifier) @container)
        (pointer_type (parenthesized_type (type_identifier) @container))
        (pointer_type (generic_type type: (type_identifier) @container))
        (generic_type type: (type_identifier) @container)
        (parenthesized_type (type_identifier) @container)
        (parenthesized_type (pointer_type (type_identifier) @container))
      ]))
  name: (field_identifier) @name) @definition.method
(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec
  name: (type_identifier) @name
  type: [
    (array_type) (channel_type) (function_type) (generic_type) (map_type) (parenthesized_type)
    (pointer_type) (qualified_type) (slice_type) (type_identifier)
  ]) @definition.type_alias
(type_alias name: (type_identifier) @name) @definition.type_alias
(field_declaration name: (field_identifier) @name) @definition.variable
(method_elem name: (field_identifier) @name) @definition.method
; The grammar puts the comma between constants into the field too, which hides the later names.
(const_spec (identifier) @name) @definition.constant
(var_spec name: (identifier) @name) @definition.variable

; Sites: calls. A generic call with one argument parses as a conversion.
(call_expression
  function: [
    (identifier) @call
    (selector_expression operand: (_) @qualifier field: (field_identifier) @call)
    (parenthesized_expression
      (unary_expression
        operand: [
          (identifier) @reference
          (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
        ]))
  ])
(type_conversion_expression
  type: (generic_type
    type: [
      (type_identifier) @call
      (qualified_type package: (package_identifier) @qualifier name: (type_identifier) @call)
    ]))

; Sites: embedding
(field_declaration
  !name
  type: [
    (type_identifier) @extends
    (qualified_type package: (package_identifier) @qualifier name: (type_identifier) @extends)
    (generic_type type: (type_identifier) @extends)
    (generic_type
      type: (qualified_type
        package: (package_identifier) @qualifier
        name: (type_identifier) @extends))
  ])
(interface_type
  (type_elem
    .
    [
      (type_identifier) @extends
      (qualified_type package: (package_identifier) @qualifier name: (type_identifier) @extends)
      (generic_type type: (type_identifier) @extends)
      (generic_type
        type: (qualified_type
          package: (package_identifier) @qualifier
          name: (type_identifier) @extends))
    ]
    .))

; Sites: types. A bare `(type_identifier)` would take the names of definitions too.
[
  (_ type: (type_identifier) @reference)
  (_ element: (type_identifier) @reference)
  (_ key: (type_identifier) @reference)
  (_ value: (type_identifier) @reference)
  (_ result: (type_identifier) @reference)
  (argument_list (type_identifier) @reference)
  (negated_type (type_identifier) @reference)
  (parenthesized_type (type_identifier) @reference)
  (pointer_type (type_identifier) @reference)
  (type_constraint (type_identifier) @reference)
  (type_elem (type_identifier) @reference)
]
(qualified_type package: (package_identifier) @qualifier name: (type_identifier) @reference)

; Sites: bare values. One pattern a place costs less than one each for names and selectors.
(argument_list
  [
    (identifier) @reference
    (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
  ])
(type_conversion_expression
  operand: [
    (identifier) @reference
    (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
  ])
(keyed_element
  value: (literal_element
    [
      (identifier) @reference
      (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
    ]))
(literal_value
  (literal_element
    [
      (identifier) @reference
      (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
    ]))
(return_statement
  (expression_list
    [
      (identifier) @reference
      (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
    ]))
(_
  right: (expression_list
    [
      (identifier) @reference
      (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
    ]))
(_
  value: (expression_list
    [
      (identifier) @reference
      (selector_expression operand: (_) @qualifier field: (field_identifier) @reference)
    ]))

; Type parameters, as declared and as a receiver names them
(type_parameter_declaration name: (identifier) @type_parameter)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (pointer_type (generic_type
    type_arguments: (type_arguments (type_elem (type_identifier) @type_parameter))))
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @type_parameter)))
])))

; Imports and comments
(import_spec) @import
(comment) @comment
