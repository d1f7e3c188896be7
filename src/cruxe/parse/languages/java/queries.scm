; Definitions
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(enum_constant name: (identifier) @name) @definition.constant
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(record_declaration
  parameters: (formal_parameters
    [
      (formal_parameter name: (identifier) @name) @definition.variable
      (spread_parameter (variable_declarator name: (identifier) @name)) @definition.variable
    ]))
(module_declaration name: (_) @name) @definition.module

; Sites: calls
(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @qualifier name: (identifier) @call)
(object_creation_expression
  type: [
    (type_identifier) @call
    (scoped_type_identifier (_) @qualifier (type_identifier) @call .)
    (generic_type
      [
        (type_identifier) @call
        (scoped_type_identifier (_) @qualifier (type_identifier) @call .)
      ])
  ])

; Sites: inheritance
(superclass
  [
    (type_identifier) @extends
    (scoped_type_identifier (_) @qualifier (type_identifier) @extends .)
    (generic_type
      [
        (type_identifier) @extends
        (scoped_type_identifier (_) @qualifier (type_identifier) @extends .)
      ])
  ])
(extends_interfaces
  (type_list
    [
      (type_identifier) @extends
      (scoped_type_identifier (_) @qualifier (type_identifier) @extends .)
      (generic_type
        [
          (type_identifier) @extends
          (scoped_type_identifier (_) @qualifier (type_identifier) @extends .)
        ])
    ]))
(super_interfaces
  (type_list
    [
      (type_identifier) @implements
      (scoped_type_identifier (_) @qualifier (type_identifier) @implements .)
      (generic_type
        [
          (type_identifier) @implements
          (scoped_type_identifier (_) @qualifier (type_identifier) @implements .)
        ])
    ]))

; Sites: types and annotations
(type_identifier) @reference
(scoped_type_identifier (_) @qualifier (type_identifier) @reference .)
(record_pattern . (identifier) @reference)
(marker_annotation
  name: [
    (identifier) @reference
    (scoped_identifier scope: (_) @qualifier name: (identifier) @reference)
  ])
(annotation
  name: [
    (identifier) @reference
    (scoped_identifier scope: (_) @qualifier name: (identifier) @reference)
  ])
(uses_module_directive
  type: (scoped_identifier scope: (_) @qualifier name: (identifier) @reference))
(provides_module_directive
  (scoped_identifier scope: (_) @qualifier name: (identifier) @reference))

; Sites: bare values. One pattern a place costs less than one each for names and fields.
(method_reference (_) @qualifier (identifier) @reference .)
(method_reference . (identifier) @reference "new")
(argument_list
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(assignment_expression
  right: [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(variable_declarator
  value: [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(return_statement
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(array_initializer
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(element_value_pair
  value: [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(annotation_argument_list
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(element_value_array_initializer
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(switch_label
  [
    (identifier) @reference
    (field_access object: (_) @qualifier field: (identifier) @reference)
  ])
(switch_rule
  (expression_statement
    [
      (identifier) @reference
      (field_access object: (_) @qualifier field: (identifier) @reference)
    ]))

; Type parameters
(type_parameter (type_identifier) @type_parameter)

; Imports and comments
(import_declaration) @import
(requires_module_directive) @import
(line_comment) @comment
(block_comment) @comment
