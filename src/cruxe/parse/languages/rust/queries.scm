; Definitions
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type_alias
(associated_type name: (type_identifier) @name) @definition.type_alias
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(enum_variant name: (identifier) @name) @definition.constant
(field_declaration name: (field_identifier) @name) @definition.variable
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.function
(impl_item type: (_) @name) @scope

; Definitions among the tokens of a macro call such as `cfg_rt! { … }`: the keyword stands for the
; item, whose extent the rules find.
(macro_invocation (token_tree "fn" @definition.function . (identifier) @name))
(macro_invocation (token_tree "struct" @definition.struct . (identifier) @name))
(macro_invocation (token_tree "enum" @definition.enum . (identifier) @name))
(macro_invocation (token_tree "trait" @definition.trait . (identifier) @name))
(macro_invocation (token_tree "mod" @definition.module . (identifier) @name))
(macro_invocation (token_tree "type" @definition.type_alias . (identifier) @name))
(macro_invocation (token_tree "const" @definition.constant . (identifier) @name))
(macro_invocation (token_tree "static" @definition.variable . (identifier) @name))
(macro_invocation (token_tree (token_tree "fn" @definition.function . (identifier) @name)))

; Calls
((call_expression function: (identifier) @call) (#not-match? @call "^(?:Some|Ok|Err)$"))
(call_expression
  function: (field_expression value: (_) @qualifier field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @call))
(generic_function function: (identifier) @call)
(generic_function
  function: (field_expression value: (_) @qualifier field: (field_identifier) @call))
(generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_) @qualifier name: (identifier) @call))

; Calls among the tokens of a macro: a name with parentheses behind it. At depth there are also
; the conditions of `cfg` attributes and type parameters before a parameter list.
((macro_invocation (token_tree (identifier) @call . (token_tree . "(")))
  (#not-match? @call "^(?:Some|Ok|Err|[A-Z])$"))
((macro_rule right: (token_tree (identifier) @call . (token_tree . "(")))
  (#not-match? @call "^(?:Some|Ok|Err|[A-Z])$"))
((token_repetition (identifier) @call . (token_tree . "("))
  (#not-match? @call "^(?:Some|Ok|Err|[A-Z])$"))
((token_tree (token_tree (identifier) @call . (token_tree . "(")))
  (#not-match? @call "^(?:Some|Ok|Err|[A-Z]|all|allow|any|cfg|cfg_attr|derive|doc|not)$"))
(macro_invocation
  (token_tree
    [(identifier) (self)] @qualifier . ["." "::"] . (identifier) @call . (token_tree . "(")))
(token_tree
  (token_tree
    [(identifier) (self)] @qualifier . ["." "::"] . (identifier) @call . (token_tree . "(")))

; Inheritance
(impl_item trait: (type_identifier) @implements)
(impl_item trait: (generic_type type: (type_identifier) @implements))
(impl_item trait: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @implements))
(impl_item
  trait: (generic_type
    type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @implements)))
(trait_item bounds: (trait_bounds (type_identifier) @extends))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @extends)))
(trait_item
  bounds: (trait_bounds
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @extends)))

; Types; one capital letter is a type parameter
([
  (generic_type type: (type_identifier) @reference)
  (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference)
  (reference_type type: (type_identifier) @reference)
  (pointer_type type: (type_identifier) @reference)
  (array_type element: (type_identifier) @reference)
  (tuple_type (type_identifier) @reference)
  (type_arguments (type_identifier) @reference)
  (type_binding type: (type_identifier) @reference)
  (trait_bounds (type_identifier) @reference)
  (bounded_type (type_identifier) @reference)
  (abstract_type trait: (type_identifier) @reference)
  (dynamic_type trait: (type_identifier) @reference)
  (parameter type: (type_identifier) @reference)
  (parameters (type_identifier) @reference)
  (function_item return_type: (type_identifier) @reference)
  (function_signature_item return_type: (type_identifier) @reference)
  (function_type return_type: (type_identifier) @reference)
  (closure_expression return_type: (type_identifier) @reference)
  (field_declaration type: (type_identifier) @reference)
  (ordered_field_declaration_list type: (type_identifier) @reference)
  (let_declaration type: (type_identifier) @reference)
  (const_item type: (type_identifier) @reference)
  (static_item type: (type_identifier) @reference)
  (type_item type: (type_identifier) @reference)
  (type_cast_expression type: (type_identifier) @reference)
  (impl_item type: (type_identifier) @reference)
  (struct_expression name: (type_identifier) @reference)
  (struct_pattern type: (type_identifier) @reference)
] (#not-match? @reference "^(?:Self|[A-Z_]?)$"))

; Paths: the type that a function, a variant or a constant is reached through
((scoped_identifier path: (identifier) @reference)
  (#match? @reference "^(?!Self$)[A-Z]\\w"))
((scoped_identifier path: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
  (#match? @reference "^[A-Z]\\w"))

; Values
(arguments (identifier) @reference)
(arguments (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(arguments (reference_expression value: (identifier) @reference))
(field_initializer value: (identifier) @reference)
(field_initializer
  value: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(let_declaration value: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(assignment_expression
  right: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(return_expression (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(array_expression (identifier) @reference)
(array_expression (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(const_item value: (identifier) @reference)
(const_item value: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(static_item value: (identifier) @reference)
(block (scoped_identifier path: (_) @qualifier name: (identifier) @reference) .)
(match_arm value: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(match_pattern (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(or_pattern (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
(tuple_struct_pattern
  type: (scoped_identifier path: (_) @qualifier name: (identifier) @reference))

; Attributes
((attribute (identifier) @_derive arguments: (token_tree (identifier) @reference))
  (#eq? @_derive "derive"))
((attribute
   (identifier) @_derive
   arguments: (token_tree (identifier) @qualifier . "::" . (identifier) @reference))
  (#eq? @_derive "derive"))
(attribute (scoped_identifier path: (_) @qualifier name: (identifier) @reference))
((attribute (identifier) @reference)
  (#not-match? @reference "^(?:allow|cfg|cfg_attr|cold|deny|deprecated|derive|doc|expect|forbid|ignore|inline|macro_export|macro_use|must_use|no_mangle|non_exhaustive|path|repr|should_panic|test|track_caller|unsafe|warn)$"))

; Type parameters
(type_parameter name: (type_identifier) @type_parameter)
(const_parameter name: (identifier) @type_parameter)

; Imports and comments
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
(macro_invocation (token_tree "use" @import))
(macro_invocation (token_tree (token_tree "use" @import)))
(line_comment) @comment
(block_comment) @comment
