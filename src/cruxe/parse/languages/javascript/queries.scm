; What the grammar of JavaScript has to itself, and what only programs without types write.

; Fields
(field_definition property: (_) @name) @definition.variable
(field_definition value: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])

; Members assigned from outside: of two patterns, the one that captures more wins
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)]
  right: [(arrow_function) (function_expression) (generator_function) (class)] @value)
  @definition.function
(assignment_expression
  left: (member_expression object: (_) @container property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function) (class)] @value
  (#match? @container "^[\\w$.]+$")
  (#not-match? @container "^(this|self|exports|module|window|global|globalThis)\\b|\\.prototype$")
) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @container property: (_) @_prototype)
    property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function) (class)] @value
  (#eq? @_prototype "prototype")) @definition.function
(assignment_expression
  left: (member_expression object: (_) @name property: (_) @_prototype)
  right: (object)
  (#eq? @_prototype "prototype")) @scope
(program (expression_statement (assignment_expression
  left: (member_expression object: (_) @_exports property: (_) @name)
  right: [(object) (array) (string) (template_string) (number) (call_expression) (new_expression)])
  @definition.variable)
  (#match? @_exports "^(module\\.)?exports$"))

; Heritage
(class_heritage [
  (identifier) @extends
  (member_expression object: (_) @qualifier property: (_) @extends)
])
