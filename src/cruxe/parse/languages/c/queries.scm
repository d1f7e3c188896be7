; Definitions. `name` is the whole declarator: the rules look inside it for the identifier.
(function_definition declarator: (_) @name) @definition.function

; Declarations outside functions; those inside have no symbol.
(translation_unit (declaration declarator: (_) @name) @definition.variable)
(declaration_list (declaration declarator: (_) @name) @definition.variable)
(linkage_specification (declaration declarator: (_) @name) @definition.variable)
(preproc_ifdef (declaration declarator: (_) @name) @definition.variable)
(preproc_if (declaration declarator: (_) @name) @definition.variable)
(preproc_else (declaration declarator: (_) @name) @definition.variable)
(preproc_elif (declaration declarator: (_) @name) @definition.variable)
(preproc_elifdef (declaration declarator: (_) @name) @definition.variable)
(translation_unit (ERROR (declaration declarator: (_) @name) @definition.variable))
(field_declaration declarator: (_) @name) @definition.variable
(type_definition declarator: (_) @name) @definition.type_alias

; `struct point { … } origin;`: the variable stands behind the type, not around it.
(declaration
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.variable)
(field_declaration
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.variable)
(type_definition
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (_) @name @definition.type_alias)

(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(preproc_def name: (identifier) @name) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function

; Sites
(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @call)))
(declaration type: (type_identifier) @reference)
(parameter_declaration type: (type_identifier) @reference)
(field_declaration type: (type_identifier) @reference)
(function_definition type: (type_identifier) @reference)
(type_definition type: (type_identifier) @reference)
(type_descriptor type: (type_identifier) @reference)
(struct_specifier name: (type_identifier) @reference !body)
(union_specifier name: (type_identifier) @reference !body)
(enum_specifier name: (type_identifier) @reference !body)
(call_expression arguments: (argument_list (identifier) @reference))
(call_expression arguments: (argument_list (field_expression argument: (_) @qualifier field: (field_identifier) @reference)))
(call_expression arguments: (argument_list (pointer_expression argument: (identifier) @reference)))
(assignment_expression right: (identifier) @reference)
(assignment_expression right: (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(assignment_expression right: (pointer_expression argument: (identifier) @reference))
(init_declarator value: (identifier) @reference)
(init_declarator value: (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(init_declarator value: (pointer_expression argument: (identifier) @reference))
(initializer_list (identifier) @reference)
(initializer_list (pointer_expression argument: (identifier) @reference))
(initializer_pair value: (identifier) @reference)
(initializer_pair value: (pointer_expression argument: (identifier) @reference))
(return_statement (identifier) @reference)
(return_statement (field_expression argument: (_) @qualifier field: (field_identifier) @reference))
(case_statement value: (identifier) @reference)
(preproc_ifdef name: (identifier) @reference)
(preproc_defined (identifier) @reference)

; Imports and comments
(preproc_include) @import
(comment) @comment
