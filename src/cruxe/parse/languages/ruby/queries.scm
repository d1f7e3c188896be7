; Namespaces and methods
(class
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @container name: (constant) @name)
  ]) @definition.class
(module
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @container name: (constant) @name)
  ]) @definition.module
(singleton_class) @scope
(method name: (_) @name) @definition.function
(singleton_method object: (_) @object name: (_) @name) @definition.function

; Constants and variables; the rules see which are types, and drop what a method assigns
(assignment
  left: [
    (constant) @name
    (class_variable) @name
    (global_variable) @name
    (scope_resolution scope: (_) @container name: (constant) @name)
  ]) @definition.constant
(operator_assignment
  left: [(constant) (class_variable) (global_variable)] @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name @definition.constant))

; What a call with literal names defines: each name stands for itself.
((call
   receiver: (constant) @_maker
   method: (identifier) @macro
   arguments: (argument_list (simple_symbol) @name @definition.variable))
  (#any-of? @_maker "Data" "Struct") (#any-of? @macro "new" "define"))
((call
   !receiver
   method: (identifier) @macro
   arguments: (argument_list (simple_symbol) @name @definition.variable))
  (#match? @macro "^(?:(?:thread_)?[cm]?attr(?:_internal)?(?:_reader|_writer|_accessor)?|class_attribute|def_delegators?|delegate)$"))
((call
   !receiver
   method: (identifier) @macro
   arguments: (argument_list . [
     (simple_symbol) @name
     (string . (string_content) @name .)
     (pair key: (hash_key_symbol) @name)
   ])) @definition.function
  (#any-of? @macro "alias_method" "define_method" "define_singleton_method" "task" "test"))
(alias
  name: [(identifier) (constant) (simple_symbol) (operator) (setter)] @name) @definition.function

; Who may call what: the rules read these and drop them.
((body_statement (identifier) @scope @section)
  (#any-of? @section "private" "protected" "public" "module_function"))
((call !receiver method: (identifier) @directive arguments: (argument_list)) @scope
  (#any-of? @directive
    "private" "protected" "public" "module_function"
    "private_class_method" "public_class_method" "private_constant"))

; Calls; `X.new` calls the class too
(call !receiver method: [(identifier) (constant)] @call)
(call receiver: (_) @qualifier method: [(identifier) (constant)] @call)
((call
   receiver: [
     (constant) @call
     (scope_resolution scope: (_) @qualifier name: (constant) @call)
   ]
   method: (identifier) @_new)
  (#eq? @_new "new"))

; A bare name is a call or a local variable: a call where its value is not used and where nothing
; can have been assigned before it.
(body_statement (identifier) @call . (_statement))
(program (identifier) @call)
(method !parameters body: [(body_statement . (identifier) @call .) (identifier) @call])

; Constants are never local: all mentions count.
(constant) @reference
(scope_resolution scope: (_) @qualifier name: (constant) @reference)
(alias alias: [(identifier) (constant)] @reference)

; Inheritance
(superclass [
  (constant) @extends
  (scope_resolution scope: (_) @qualifier name: (constant) @extends)
])
((call
   receiver: (constant) @_class
   method: (identifier) @_new
   arguments: (argument_list . [
     (constant) @extends
     (scope_resolution scope: (_) @qualifier name: (constant) @extends)
   ]))
  (#eq? @_class "Class") (#eq? @_new "new"))
((call
   !receiver
   method: (identifier) @_mix
   arguments: (argument_list [
     (constant) @implements
     (scope_resolution scope: (_) @qualifier name: (constant) @implements)
   ]))
  (#any-of? @_mix "include" "prepend"))
((call
   !receiver
   method: (identifier) @_mix
   arguments: (argument_list [
     (constant) @extends
     (scope_resolution scope: (_) @qualifier name: (constant) @extends)
   ]))
  (#eq? @_mix "extend"))

; Imports and comments
((call method: (identifier) @_load arguments: (argument_list)) @import
  (#any-of? @_load "require" "require_relative" "require_dependency" "load" "autoload"))
(comment)+ @comment
