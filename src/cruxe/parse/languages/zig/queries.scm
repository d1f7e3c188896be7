; Definitions
(source_file) @definition.struct
(function_declaration name: (identifier) @name) @definition.function
(test_declaration "test" @container [(string) (identifier)] @name) @definition.function
(variable_declaration
  "const" . (identifier) @name
  "=" . [(struct_declaration) (union_declaration) (opaque_declaration)] @value) @definition.struct
(variable_declaration
  "const" . (identifier) @name
  "=" . [(enum_declaration) (error_set_declaration)] @value) @definition.enum
(variable_declaration
  "=" . (error_set_declaration (identifier) @name @definition.constant))
(source_file (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(struct_declaration
  (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(union_declaration
  (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(enum_declaration
  (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(opaque_declaration
  (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
; The root of a file with errors may be one
(ERROR (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(source_file (container_field name: (identifier) @name . ":") @definition.variable)
(struct_declaration (container_field name: (identifier) @name . ":") @definition.variable)
(union_declaration
  (container_field name: [(identifier) (builtin_type)] @name) @definition.variable)
(enum_declaration
  (container_field name: [(identifier) (builtin_type)] @name) @definition.constant)

; Keys of a .zon file, and those of the tables in it
(source_file
  (container_field
    (range_expression
      (anonymous_struct_initializer
        (initializer_list
          (assignment_expression
            left: (field_expression member: (identifier) @name)) @definition.variable)))))
(source_file
  (container_field
    (range_expression
      (anonymous_struct_initializer
        (initializer_list
          (assignment_expression
            right: (anonymous_struct_initializer
              (initializer_list
                (assignment_expression
                  left: (field_expression member: (identifier) @name)) @definition.variable))))))))

; Calls; a leading dot asks the expected type
(call_expression function: (identifier) @call)
(call_expression
  function: (field_expression
    object: (error_union_type ok: (identifier) @qualifier)
    member: (identifier) @call))
(call_expression function: (error_union_type ok: (identifier) @call))
(call_expression
  function: (field_expression . _ @qualifier member: (identifier) @call))

; Types. A path binds looser than what stands before it: `E!a.B` is read as `(E!a).B`.
([
  (pointer_type (identifier) @reference)
  (slice_type (identifier) @reference)
  (nullable_type (identifier) @reference)
  (array_type (identifier) @reference)
  (error_union_type (identifier) @reference)
  (parameter type: (identifier) @reference)
  (function_declaration type: (identifier) @reference)
  (function_signature type: (identifier) @reference)
  (container_field type: (identifier) @reference)
  (variable_declaration type: (identifier) @reference)
  (struct_initializer (identifier) @reference)
  (enum_declaration (identifier) @reference)
  (union_declaration (identifier) @reference)
  (struct_declaration (container_field . name: (identifier) @reference .))
])
(error_union_type
  error: (field_expression object: (_) @qualifier member: (identifier) @reference))
(field_expression
  object: (error_union_type ok: (identifier) @qualifier)
  member: (identifier) @reference)
(parameter
  type: (field_expression object: (_) @qualifier member: (identifier) @reference))
(function_declaration
  type: (field_expression
    object: [(identifier) (field_expression)] @qualifier
    member: (identifier) @reference))
(function_signature
  type: (field_expression object: (_) @qualifier member: (identifier) @reference))
(container_field
  (field_expression object: (_) @qualifier member: (identifier) @reference))
(variable_declaration
  type: (field_expression object: (_) @qualifier member: (identifier) @reference))
(struct_initializer
  (field_expression object: (_) @qualifier member: (identifier) @reference))

; Values. Bare ones are types and functions, which have a capital: a name in lower case is nearly
; always a parameter or a variable of the function, often called as some field is.
([
  (call_expression "(" (identifier) @reference)
  (arguments (identifier) @reference)
  (variable_declaration "=" . (identifier) @reference)
  (assignment_expression right: (identifier) @reference)
  (initializer_list (identifier) @reference)
  (return_expression (identifier) @reference)
  (unary_expression operator: "&" argument: (identifier) @reference)
  (switch_case (identifier) @reference)
  (binary_expression left: (identifier) @reference operator: "||")
  (binary_expression operator: "||" right: (identifier) @reference)
  (if_expression "else" (identifier) @reference)
] (#match? @reference "[A-Z]"))
(call_expression "(" (field_expression . _ @qualifier member: (identifier) @reference))
(arguments (field_expression . _ @qualifier member: (identifier) @reference))
((variable_declaration
   "=" . (field_expression . _ @qualifier member: (identifier) @reference))
  (#not-match? @qualifier "^(?:@import|struct)\\b"))
(assignment_expression
  right: (field_expression . _ @qualifier member: (identifier) @reference))
(initializer_list (field_expression . _ @qualifier member: (identifier) @reference))
(return_expression (field_expression . _ @qualifier member: (identifier) @reference))
(break_expression (field_expression . _ @qualifier member: (identifier) @reference))
(unary_expression
  operator: "&"
  argument: (field_expression . _ @qualifier member: (identifier) @reference))
(switch_case (field_expression . _ @qualifier member: (identifier) @reference))
(binary_expression
  operator: ["==" "!="] right: (field_expression . "." @qualifier member: (identifier) @reference))
(binary_expression
  operator: "||" right: (field_expression object: (_) @qualifier member: (identifier) @reference))
(if_expression "else" (field_expression . _ @qualifier member: (identifier) @reference))
(error_type "error" @qualifier (identifier) @reference)
(using_namespace_declaration (identifier) @reference)
(using_namespace_declaration
  (field_expression object: (_) @qualifier member: (identifier) @reference))

; Imports and comments
((builtin_function (builtin_identifier) @_name) @import
  (#any-of? @_name "@import" "@cInclude"))
(comment) @comment
