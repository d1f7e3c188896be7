; What the grammars of TypeScript and TSX add to what they share with JavaScript.

; Types and their members
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_body name: (_) @name @definition.constant)
(enum_assignment name: (_) @name) @definition.constant
(type_alias_declaration name: (_) @name) @definition.type_alias
(interface_body [
  (property_signature name: (_) @name) @definition.variable
  (method_signature name: (_) @name) @definition.method
])
(type_alias_declaration value: (object_type [
  (property_signature name: (_) @name) @definition.variable
  (method_signature name: (_) @name) @definition.method
]))
(class_body [
  (method_signature name: (_) @name) @definition.method
  (abstract_method_signature name: (_) @name) @definition.method
])
(public_field_definition name: (_) @name) @definition.variable
(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name) @definition.variable
(optional_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name) @definition.variable
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: [(arrow_function) (function_expression) (class)] @value) @definition.function

; Functions without a body, namespaces and ambient declarations
(function_signature name: (_) @name) @definition.function
(internal_module name: [
  (identifier) @name
  (nested_identifier object: (_) @container property: (_) @name)
]) @definition.module
(module name: [
  (identifier) @name
  (string) @name
  (nested_identifier object: (_) @container property: (_) @name)
]) @definition.module
(ambient_declaration "global" @name (statement_block) @body) @definition.module
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
])
(ambient_declaration (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
]))
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
]))
(module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
]))

; Heritage
(extends_clause value: [
  (identifier) @extends
  (member_expression object: (_) @qualifier property: (_) @extends)
])
(extends_type_clause type: [
  (type_identifier) @extends
  (generic_type name: (type_identifier) @extends)
  (nested_type_identifier module: (_) @qualifier name: (_) @extends)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (_) @extends))
])
(implements_clause [
  (type_identifier) @implements
  (generic_type name: (type_identifier) @implements)
  (nested_type_identifier module: (_) @qualifier name: (_) @implements)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (_) @implements))
])

; Types as mentioned
(type_annotation (type_identifier) @reference)
(generic_type name: (type_identifier) @reference)
(type_arguments (type_identifier) @reference)
(nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference)
(union_type (type_identifier) @reference)
(intersection_type (type_identifier) @reference)
(array_type (type_identifier) @reference)
(tuple_type (type_identifier) @reference)
(parenthesized_type (type_identifier) @reference)
(readonly_type (type_identifier) @reference)
(optional_type (type_identifier) @reference)
(rest_type (type_identifier) @reference)
(template_type (type_identifier) @reference)
(constraint (type_identifier) @reference)
(default_type (type_identifier) @reference)
(conditional_type (type_identifier) @reference)
(index_type_query (type_identifier) @reference)
(lookup_type (type_identifier) @reference)
(index_signature index_type: (type_identifier) @reference)
(mapped_type_clause type: (type_identifier) @reference)
(function_type return_type: (type_identifier) @reference)
(constructor_type type: (type_identifier) @reference)
(type_predicate type: (type_identifier) @reference)
(type_alias_declaration value: (type_identifier) @reference)
(as_expression (type_identifier) @reference)
(satisfies_expression (type_identifier) @reference)
(type_query (identifier) @reference)

; Type parameters
(type_parameter name: (type_identifier) @type_parameter)

; Values and imports that only TypeScript can write
(call_expression function: (non_null_expression [
  (identifier) @call
  (member_expression object: (_) @qualifier property: (_) @call)
]))
(public_field_definition value: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
(required_parameter value: (identifier) @reference)
(export_statement "=" (identifier) @reference)
(export_statement value: [(as_expression) (satisfies_expression)] @definition.variable)
(import_alias) @import
