; Definitions
(class_declaration
  declaration_kind: ["class" "actor"] name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @scope
(protocol_declaration name: (type_identifier) @name) @definition.interface
(function_declaration) @definition.function
(protocol_function_declaration) @definition.function
(operator_declaration
  [
    (custom_operator) (bang) "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "!=" "===" "!==" "+=" "-="
    "*=" "/=" "%=" "=" "++" "--" "~" "|" "^" "&" "<<" ">>"
  ] @name) @definition.function
(init_declaration "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(macro_declaration "macro" . (simple_identifier) @name) @definition.function
(precedence_group_declaration (simple_identifier) @name) @definition.constant
(typealias_declaration name: (type_identifier) @name) @definition.type_alias
(associatedtype_declaration name: (type_identifier) @name) @definition.type_alias
(enum_entry name: (simple_identifier) @name) @definition.constant
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
(class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(enum_class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(source_file
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(source_file
  (property_declaration
    name: (pattern (pattern (simple_identifier) @name))) @definition.variable)

; Calls; brackets after a name are a subscript. A leading dot asks the expected type.
(call_expression
  . (simple_identifier) @call
  . (call_suffix . [(value_arguments . "(") (lambda_literal)]))
(call_expression
  . (navigation_expression
    target: (_) @qualifier
    suffix: (navigation_suffix suffix: (simple_identifier) @call))
  . (call_suffix . [(value_arguments . "(") (lambda_literal)]))
(call_expression
  . (prefix_expression operation: "." @qualifier target: (simple_identifier) @call)
  . (call_suffix . [(value_arguments . "(") (lambda_literal)]))
(constructor_expression constructed_type: (user_type (type_identifier) @call . (type_arguments) .))
(macro_invocation (simple_identifier) @call)

; Inheritance: what a class names first may be its superclass, the rest are protocols
(class_declaration
  declaration_kind: "class"
  ":" .
  (inheritance_specifier
    inherits_from: [
      (user_type . (type_identifier) @extends .)
      (user_type . (type_identifier) @extends . (type_arguments) .)
      (user_type (type_identifier) @qualifier . "." . (type_identifier) @extends)
    ]))
(class_declaration
  (inheritance_specifier
    inherits_from: [
      (user_type . (type_identifier) @implements .)
      (user_type . (type_identifier) @implements . (type_arguments) .)
      (user_type (type_identifier) @qualifier . "." . (type_identifier) @implements)
    ]))
(protocol_declaration
  (inheritance_specifier
    inherits_from: [
      (user_type . (type_identifier) @extends .)
      (user_type . (type_identifier) @extends . (type_arguments) .)
      (user_type (type_identifier) @qualifier . "." . (type_identifier) @extends)
    ]))

; Types and attributes
(type_parameter (type_identifier) @type_parameter)
(user_type (type_identifier) @reference)
(user_type (type_identifier) @qualifier . "." . (type_identifier) @reference)
((navigation_expression target: (simple_identifier) @reference) (#match? @reference "^[A-Z]"))
(key_path_expression (type_identifier) @reference)

; Values
((value_argument
   value: [
     (simple_identifier) @reference
     (navigation_expression
       target: (_) @qualifier
       suffix: (navigation_suffix suffix: (simple_identifier) @reference))
   ])
  (#not-eq? @reference "self"))
(assignment
  result: [
    (simple_identifier) @reference
    (navigation_expression
      target: (_) @qualifier
      suffix: (navigation_suffix suffix: (simple_identifier) @reference))
  ])
(property_declaration
  value: [
    (simple_identifier) @reference
    (navigation_expression
      target: (_) @qualifier
      suffix: (navigation_suffix suffix: (simple_identifier) @reference))
  ])
(control_transfer_statement
  [
    (simple_identifier) @reference
    (navigation_expression
      target: (_) @qualifier
      suffix: (navigation_suffix suffix: (simple_identifier) @reference))
  ])
(array_literal
  element: [
    (simple_identifier) @reference
    (navigation_expression
      target: (_) @qualifier
      suffix: (navigation_suffix suffix: (simple_identifier) @reference))
  ])
(dictionary_literal value: (simple_identifier) @reference)
(selector_expression
  [
    (simple_identifier) @reference
    (navigation_expression
      target: (_) @qualifier
      suffix: (navigation_suffix suffix: (simple_identifier) @reference))
  ])
(prefix_expression operation: "." @qualifier target: (simple_identifier) @reference)
(pattern "." @qualifier . (simple_identifier) @reference)
(operator_declaration (simple_identifier) @reference)

; Imports and comments
(import_declaration) @import
(comment) @comment
(multiline_comment) @comment
