; Definitions
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(type_definition name: (_) @name) @definition.type_alias
(package_clause name: (_) @name body: (_)) @definition.module
(package_object name: (_) @name) @definition.module
(given_definition name: (_) @name) @definition.variable
(given_definition !name "given" @name) @definition.variable
(extension_definition
  ["extension" (type_parameters)]
  .
  parameters: (parameters
    (parameter
      type: [
        (type_identifier) @name
        (generic_type type: (type_identifier) @name)
        (stable_type_identifier (type_identifier) @name)
        (generic_type type: (stable_type_identifier (type_identifier) @name))
      ]))) @scope

; Fields that parameters are: of any class with `val` or `var`, of case classes always.
(class_parameter ["val" "var"] name: (_) @name) @definition.variable
(class_definition
  "case"
  [(identifier) (type_parameters) (access_modifier)]
  .
  (class_parameters (class_parameter name: (_) @name) @definition.variable))
(full_enum_case (class_parameters (class_parameter name: (_) @name) @definition.variable))

; Values of files and types; those of functions are no symbols.
(template_body (val_declaration name: (_) @name) @definition.variable)
(template_body (var_declaration name: (_) @name) @definition.variable)
(template_body
  (val_definition
    pattern: [
      (identifier) @name
      (operator_identifier) @name
      (identifiers (identifier) @name)
      (tuple_pattern [(identifier) @name (typed_pattern pattern: (identifier) @name)])
      (case_class_pattern pattern: (identifier) @name)
    ]) @definition.variable)
(template_body
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.variable)
(compilation_unit
  (val_definition
    pattern: [
      (identifier) @name
      (identifiers (identifier) @name)
      (tuple_pattern [(identifier) @name (typed_pattern pattern: (identifier) @name)])
      (case_class_pattern pattern: (identifier) @name)
    ]) @definition.variable)
(compilation_unit
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.variable)
(with_template_body (val_definition pattern: (identifier) @name) @definition.variable)
(enum_body (val_definition pattern: (identifier) @name) @definition.variable)

; Calls; the operators of arithmetic and logic are none.
(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @qualifier field: (_) @call))
(generic_function function: (identifier) @call)
(generic_function function: (field_expression value: (_) @qualifier field: (_) @call))
(instance_expression
  [
    (type_identifier) @call
    (stable_type_identifier (_) @qualifier (type_identifier) @call .)
    (generic_type type: (type_identifier) @call)
    (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @call .))
    (compound_type base: (type_identifier) @call)
    (compound_type base: (generic_type type: (type_identifier) @call))
    (compound_type base: (applied_constructor_type (type_identifier) @call))
    (compound_type
      base: (applied_constructor_type (generic_type type: (type_identifier) @call)))
  ])
(infix_expression left: (_) @qualifier operator: (identifier) @call)
((infix_expression left: (_) @qualifier operator: (operator_identifier) @call)
  (#not-match? @call "^(?:[-+*/%&|^]=?|[!=]=|[<>]=?|&&|[|][|]|<<|>>>?|->|:::?|[+][+]=?|:[+]|[+]:)$"))
(interpolated_string_expression interpolator: (identifier) @call)

; Inheritance: the first parent, then those mixed in; an instance implements its type class.
(extends_clause
  "extends"
  .
  [
    (type_identifier) @extends
    (stable_type_identifier (_) @qualifier (type_identifier) @extends .)
    (generic_type type: (type_identifier) @extends)
    (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @extends .))
  ])
(extends_clause
  [
    (type_identifier) @implements
    (stable_type_identifier (_) @qualifier (type_identifier) @implements .)
    (generic_type type: (type_identifier) @implements)
    (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @implements .))
  ])
(given_definition
  return_type: [
    (type_identifier) @implements
    (stable_type_identifier (_) @qualifier (type_identifier) @implements .)
    (generic_type type: (type_identifier) @implements)
    (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @implements .))
  ])

; Types, annotations included
(type_identifier) @reference
(stable_type_identifier (_) @qualifier (type_identifier) @reference .)
(type_parameters name: (identifier) @type_parameter)
(covariant_type_parameter name: (identifier) @type_parameter)
(contravariant_type_parameter name: (identifier) @type_parameter)

; Members read: a method without parameters is called without parentheses.
(field_expression value: (_) @qualifier field: (_) @reference)
; The object that a member is reached through.
((field_expression value: (identifier) @reference) (#match? @reference "^[A-Z]"))

; Bare values
(arguments (identifier) @reference)
(assignment_expression right: (identifier) @reference)
(val_definition value: (identifier) @reference)
(var_definition value: (identifier) @reference)
(function_definition body: (identifier) @reference)
(given_definition body: (identifier) @reference)
(return_expression (identifier) @reference)
(method_value (identifier) @reference)
(case_clause body: (identifier) @reference)
(parameter default_value: (identifier) @reference)
(class_parameter default_value: (identifier) @reference)
(block (identifier) @reference .)
(indented_block (identifier) @reference .)
(case_clause pattern: (stable_identifier (_) @qualifier (identifier) @reference .))

; Imports and comments
(import_declaration) @import
(export_declaration) @import
(comment) @comment
(block_comment) @comment
