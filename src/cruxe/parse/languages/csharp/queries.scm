; A namespace says where what is inside belongs, as a package does; it is no symbol.
(namespace_declaration name: (_) @name) @scope
(file_scoped_namespace_declaration name: (_) @name) @scope

; Definitions
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type_alias
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(destructor_declaration "~" @special name: (identifier) @name) @definition.method
(operator_declaration operator: _ @name @special) @definition.method
(conversion_operator_declaration "operator" @name @special) @definition.method
(indexer_declaration "this" @name @special) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(property_declaration name: (identifier) @name) @definition.variable
(event_declaration name: (identifier) @name) @definition.variable
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.variable
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.variable
(record_declaration
  (parameter_list
    [
      (parameter name: (identifier) @name) @definition.variable
      name: (identifier) @name @definition.variable
    ]))

; Calls
(invocation_expression
  function: [
    (identifier) @call
    (generic_name . (identifier) @call)
    (member_access_expression
      expression: _ @qualifier
      name: [(identifier) @call (generic_name . (identifier) @call)])
    (conditional_access_expression
      condition: (_) @qualifier
      (member_binding_expression
        name: [(identifier) @call (generic_name . (identifier) @call)]))
  ])
(object_creation_expression
  type: [
    (identifier) @call
    (generic_name . (identifier) @call)
    (qualified_name
      qualifier: (_) @qualifier
      name: [(identifier) @call (generic_name . (identifier) @call)])
    (alias_qualified_name
      alias: (_) @qualifier
      name: [(identifier) @call (generic_name . (identifier) @call)])
  ])

; Inheritance: only the first in a class's list can be a class, and a name like `IShape` is not.
(class_declaration
  (base_list
    [
      (identifier) @implements
      (generic_name . (identifier) @implements)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @implements (generic_name . (identifier) @implements)])
    ]))
((class_declaration
  (base_list
    .
    [
      (identifier) @extends
      (generic_name . (identifier) @extends)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @extends (generic_name . (identifier) @extends)])
    ]))
  (#not-match? @extends "^I[A-Z]"))
(record_declaration
  (base_list
    [
      (identifier) @implements
      (generic_name . (identifier) @implements)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @implements (generic_name . (identifier) @implements)])
    ]))
((record_declaration
  (base_list
    .
    [
      (identifier) @extends
      (generic_name . (identifier) @extends)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @extends (generic_name . (identifier) @extends)])
    ]))
  (#not-match? @extends "^I[A-Z]"))
(primary_constructor_base_type
  type: [
    (identifier) @extends
    (generic_name . (identifier) @extends)
    (qualified_name
      qualifier: (_) @qualifier
      name: [(identifier) @extends (generic_name . (identifier) @extends)])
  ])
(struct_declaration
  (base_list
    [
      (identifier) @implements
      (generic_name . (identifier) @implements)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @implements (generic_name . (identifier) @implements)])
    ]))
(interface_declaration
  (base_list
    [
      (identifier) @extends
      (generic_name . (identifier) @extends)
      (qualified_name
        qualifier: (_) @qualifier
        name: [(identifier) @extends (generic_name . (identifier) @extends)])
    ]))

; Types and attributes
(type_parameter name: (identifier) @type_parameter)
(generic_name . (identifier) @reference)
(qualified_name qualifier: (_) @qualifier name: (generic_name . (identifier) @reference))
(type_argument_list
  [(identifier) @reference (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)])
(method_declaration
  returns: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(parameter
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(variable_declaration
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(property_declaration
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(indexer_declaration type: (identifier) @reference)
(event_declaration type: (identifier) @reference)
(delegate_declaration type: (identifier) @reference)
(local_function_statement type: (identifier) @reference)
(operator_declaration type: (identifier) @reference)
(conversion_operator_declaration type: (identifier) @reference)
(array_type
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(nullable_type
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(pointer_type type: (identifier) @reference)
(ref_type type: (identifier) @reference)
(tuple_element type: (identifier) @reference)
(type_parameter_constraint
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(explicit_interface_specifier
  [(identifier) @reference (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)])
(attribute
  name: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(typeof_expression
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(default_expression type: (identifier) @reference)
(sizeof_expression type: (identifier) @reference)
(cast_expression
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(as_expression
  right: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(is_expression right: (identifier) @reference)
(catch_declaration
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(declaration_expression type: (identifier) @reference)
(declaration_pattern
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(recursive_pattern
  type: [
    (identifier) @reference
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference)
  ])
(type_pattern type: (identifier) @reference)
(constant_pattern
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(foreach_statement type: (identifier) @reference)

; Values handed on
(argument
  !name
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(argument
  name: (_)
  .
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(attribute_argument
  !name
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(attribute_argument
  name: (_)
  .
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(assignment_expression
  right: [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(variable_declarator
  "="
  .
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(property_declaration
  value: [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(return_statement
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(arrow_expression_clause
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(initializer_expression
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(expression_element
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])
(switch_expression_arm
  "=>"
  .
  [
    (identifier) @reference
    (member_access_expression expression: _ @qualifier name: (identifier) @reference)
  ])

; Imports and comments
(using_directive) @import
(extern_alias_directive) @import
(comment) @comment
