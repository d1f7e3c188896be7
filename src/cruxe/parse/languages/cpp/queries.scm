; Definitions. `name` is the whole declarator: the rules look inside it for the identifier.
(function_definition declarator: (_) @name) @definition.function

; Declarations outside functions; those inside have no symbol.
(translation_unit (declaration declarator: (_) @name) @definition.variable)
(declaration_list (declaration declarator: (_) @name) @definition.variable)
(field_declaration_list (declaration declarator: (_) @name) @definition.variable)
(template_declaration (declaration declarator: (_) @name) @definition.variable)
(linkage_specification (declaration declarator: (_) @name) @definition.variable)
(preproc_ifdef (declaration declarator: (_) @name) @definition.variable)
(preproc_if (declaration declarator: (_) @name) @definition.variable)
(preproc_else (declaration declarator: (_) @name) @definition.variable)
(preproc_elif (declaration declarator: (_) @name) @definition.variable)
(translation_unit (ERROR (declaration declarator: (_) @name) @definition.variable))
(field_declaration declarator: (_) @name) @definition.variable
(type_definition declarator: (_) @name) @definition.type_alias
(alias_declaration name: (type_identifier) @name) @definition.type_alias

; `struct point { … } origin;`: the variable stands behind the type, not around it.
(declaration
  type: [(class_specifier body: (_)) (struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.variable)
(field_declaration
  type: [(class_specifier body: (_)) (struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.variable)
(type_definition
  type: [(class_specifier body: (_)) (struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.type_alias)

(class_specifier name: (_) @name body: (_)) @definition.class
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(concept_definition name: (identifier) @name) @definition.trait
(namespace_definition name: (_) @name) @definition.module
(namespace_definition !name) @scope
(preproc_def name: (identifier) @name) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function

; Calls
(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @call))
(call_expression
  function: (field_expression argument: (_) @qualifier field: (template_method name: (field_identifier) @call)))
(call_expression
  function: (field_expression
    argument: (_) @qualifier field: (dependent_name (template_method name: (field_identifier) @call))))
(call_expression
  function: (template_function name: (identifier) @call)
  (#not-match? @call "_cast$"))
(call_expression function: (qualified_identifier scope: (_)? @qualifier name: (identifier) @call))
(call_expression
  function: (qualified_identifier scope: (_)? @qualifier name: (template_function name: (identifier) @call)))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier scope: (_) @qualifier name: [(identifier) @call (template_function name: (identifier) @call)])))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier
      name: (qualified_identifier scope: (_) @qualifier name: [(identifier) @call (template_function name: (identifier) @call)]))))
(new_expression type: (type_identifier) @call)
(new_expression type: (template_type name: (type_identifier) @call))
(new_expression type: (qualified_identifier scope: (_)? @qualifier name: (type_identifier) @call))
(new_expression
  type: (qualified_identifier scope: (_)? @qualifier name: (template_type name: (type_identifier) @call)))
(compound_literal_expression type: (type_identifier) @call)
(compound_literal_expression type: (template_type name: (type_identifier) @call))
(compound_literal_expression type: (qualified_identifier scope: (_)? @qualifier name: (type_identifier) @call))

; Base classes
(base_class_clause (type_identifier) @extends)
(base_class_clause (template_type name: (type_identifier) @extends))
(base_class_clause (qualified_identifier scope: (_)? @qualifier name: (type_identifier) @extends))
(base_class_clause
  (qualified_identifier scope: (_)? @qualifier name: (template_type name: (type_identifier) @extends)))
(base_class_clause
  (qualified_identifier
    name: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @extends (template_type name: (type_identifier) @extends)])))

; Types
(declaration type: (type_identifier) @reference)
(parameter_declaration type: (type_identifier) @reference)
(optional_parameter_declaration type: (type_identifier) @reference)
(field_declaration type: (type_identifier) @reference)
(function_definition type: (type_identifier) @reference)
(type_definition type: (type_identifier) @reference)
(type_descriptor type: (type_identifier) @reference)
(for_range_loop type: (type_identifier) @reference)
(operator_cast type: (type_identifier) @reference)
(friend_declaration (type_identifier) @reference)
(template_type name: (type_identifier) @reference)
(qualified_identifier scope: (_)? @qualifier name: (type_identifier) @reference)
(qualified_identifier scope: (_)? @qualifier name: (template_type name: (type_identifier) @reference))
(class_specifier name: (type_identifier) @reference !body)
(struct_specifier name: (type_identifier) @reference !body)
(union_specifier name: (type_identifier) @reference !body)
(enum_specifier name: (type_identifier) @reference !body)

(template_parameter_list [
  (type_parameter_declaration (type_identifier) @type_parameter)
  (optional_type_parameter_declaration name: (type_identifier) @type_parameter)
  (variadic_type_parameter_declaration (type_identifier) @type_parameter)
  (parameter_declaration declarator: (identifier) @type_parameter)
  (template_template_parameter_declaration
    (type_parameter_declaration (type_identifier) @type_parameter))
])

; Values: a path is a mention wherever it stands, a bare name only where a value is handed on.
(qualified_identifier scope: (_)? @qualifier name: (identifier) @reference)
(argument_list (identifier) @reference)
(argument_list (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(argument_list (pointer_expression argument: (identifier) @reference))
(assignment_expression right: (identifier) @reference)
(assignment_expression right: (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(assignment_expression right: (pointer_expression argument: (identifier) @reference))
(init_declarator value: (identifier) @reference)
(init_declarator value: (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(init_declarator value: (pointer_expression argument: (identifier) @reference))
(initializer_list (identifier) @reference)
(initializer_list (pointer_expression argument: (identifier) @reference))
(initializer_pair value: (identifier) @reference)
(field_declaration default_value: (identifier) @reference)
(return_statement (identifier) @reference)
(return_statement (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(case_statement value: (identifier) @reference)
(preproc_ifdef name: (identifier) @reference)
(preproc_defined (identifier) @reference)

; Imports and comments
(preproc_include) @import
(using_declaration) @import
(namespace_alias_definition) @import
(comment) @comment
