; A namespace says where what is inside belongs, as a package does; it is no symbol.
(namespace_definition name: (namespace_name) @name) @scope

; Definitions
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.constant
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(property_declaration
  (property_element name: (variable_name (name) @name))) @definition.variable
(property_promotion_parameter
  name: [
    (variable_name (name) @name)
    (by_ref (variable_name (name) @name))
  ]) @definition.variable
(const_declaration (const_element . (name) @name)) @definition.constant
((function_call_expression
  function: [(name) (qualified_name)] @define
  arguments: (arguments
    .
    (argument
      [
        (string . (string_content) @name .)
        (encapsed_string . (string_content) @name .)
      ]))) @definition.constant
  (#match? @define "^\\\\?define$"))

; Variables of the file, not of a function
(program
  (expression_statement
    (assignment_expression left: (variable_name (name) @name)) @definition.variable))
(namespace_definition
  body: (compound_statement
    (expression_statement
      (assignment_expression left: (variable_name (name) @name)) @definition.variable)))

; Calls
(function_call_expression
  function: [
    (name) @call
    (qualified_name prefix: (namespace_name)? @qualifier (name) @call)
    (relative_name prefix: (namespace_name)? @qualifier (name) @call)
  ])
(member_call_expression object: (_) @qualifier name: (name) @call)
(nullsafe_member_call_expression object: (_) @qualifier name: (name) @call)
(scoped_call_expression scope: (_) @qualifier name: (name) @call)
(object_creation_expression
  [
    (name) @call
    (qualified_name prefix: (namespace_name)? @qualifier (name) @call)
    (relative_name prefix: (namespace_name)? @qualifier (name) @call)
  ])

; Inheritance: a trait lends its members as a base class does.
(base_clause
  [
    (name) @extends
    (qualified_name prefix: (namespace_name)? @qualifier (name) @extends)
    (relative_name prefix: (namespace_name)? @qualifier (name) @extends)
  ])
(class_interface_clause
  [
    (name) @implements
    (qualified_name prefix: (namespace_name)? @qualifier (name) @implements)
    (relative_name prefix: (namespace_name)? @qualifier (name) @implements)
  ])
(use_declaration
  [
    (name) @extends
    (qualified_name prefix: (namespace_name)? @qualifier (name) @extends)
    (relative_name prefix: (namespace_name)? @qualifier (name) @extends)
  ])

; Types and attributes
(named_type
  [
    (name) @reference
    (qualified_name prefix: (namespace_name)? @qualifier (name) @reference)
    (relative_name prefix: (namespace_name)? @qualifier (name) @reference)
  ])
(attribute
  [
    (name) @reference
    (qualified_name prefix: (namespace_name)? @qualifier (name) @reference)
  ])
(binary_expression
  operator: "instanceof"
  right: [
    (name) @reference
    (qualified_name prefix: (namespace_name)? @qualifier (name) @reference)
  ])
(use_instead_of_clause "insteadof" (name) @reference)
((class_constant_access_expression
  .
  [
    (name) @reference
    (qualified_name prefix: (namespace_name)? @qualifier (name) @reference)
  ]
  (name) @member
  .)
  (#eq? @member "class"))
((class_constant_access_expression . (_) @qualifier (name) @reference .)
  (#not-eq? @reference "class"))

; Values handed on. Bare names are constants: variables have a sign of their own.
(argument
  !name
  [
    (name) @reference
    (member_access_expression object: (_) @qualifier name: (name) @reference)
    (scoped_property_access_expression
      scope: (_) @qualifier name: (variable_name (name) @reference))
  ])
(argument
  name: (_)
  .
  [
    (name) @reference
    (member_access_expression object: (_) @qualifier name: (name) @reference)
    (scoped_property_access_expression
      scope: (_) @qualifier name: (variable_name (name) @reference))
  ])
(assignment_expression
  right: [
    (name) @reference
    (member_access_expression object: (_) @qualifier name: (name) @reference)
    (scoped_property_access_expression
      scope: (_) @qualifier name: (variable_name (name) @reference))
  ])
(return_statement
  [
    (name) @reference
    (member_access_expression object: (_) @qualifier name: (name) @reference)
    (scoped_property_access_expression
      scope: (_) @qualifier name: (variable_name (name) @reference))
  ])
(array_element_initializer
  [
    (name) @reference
    (member_access_expression object: (_) @qualifier name: (name) @reference)
    (scoped_property_access_expression
      scope: (_) @qualifier name: (variable_name (name) @reference))
  ])
(const_element "=" . (name) @reference)
(property_element default_value: (name) @reference)
(simple_parameter default_value: (name) @reference)
((array_creation_expression
  .
  (array_element_initializer . (variable_name) @qualifier .)
  .
  (array_element_initializer . (string . (string_content) @reference .) .)
  .)
  (#eq? @qualifier "$this"))
((array_creation_expression
  .
  (array_element_initializer . (class_constant_access_expression (name) @member .) @qualifier .)
  .
  (array_element_initializer . (string . (string_content) @reference .) .)
  .)
  (#eq? @member "class")
  (#match? @reference "^\\w+$"))

; Imports and comments
(namespace_use_declaration) @import
(include_expression) @import
(include_once_expression) @import
(require_expression) @import
(require_once_expression) @import
(comment) @comment
