; Modules
((call
   target: (identifier) @keyword
   (arguments . [(alias) @name (dot right: (alias) @name) (atom) @name])) @definition.module
  (#eq? @keyword "defmodule"))
((call target: (identifier) @keyword (arguments . (alias) @name)) @definition.interface
  (#eq? @keyword "defprotocol"))
((call target: (identifier) @keyword (arguments . (alias) @protocol)) @definition.module
  (#eq? @keyword "defimpl"))

; Functions, macros and guards; each clause is found, the rules join them
((call
   target: (identifier) @keyword
   (arguments . [
     (call target: (identifier) @name (arguments)? @parameters)
     (identifier) @name
     (binary_operator
       left: [
         (call target: (identifier) @name (arguments)? @parameters)
         (identifier) @name
       ]
       operator: "when")
   ] @head)) @definition.function
  (#any-of? @keyword
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call
   target: (identifier) @keyword
   (arguments . [
     (binary_operator operator: _ @name)
     (unary_operator operator: _ @name)
   ] @head)) @definition.function
  (#any-of? @keyword "def" "defp" "defmacro" "defmacrop" "defdelegate") (#not-eq? @name "when"))
((call target: (identifier) @keyword (arguments . (string) @name) (do_block)) @definition.function
  (#any-of? @keyword "property" "test"))

; Module attributes: constants, types, callbacks, and what is said of the next definition
(unary_operator
  operator: "@" operand: (call target: (identifier) @name (arguments) @value)) @definition.constant

; Structs and exceptions, whose fields the rules find
((call target: (identifier) @fields (arguments) @value) @scope
  (#any-of? @fields "defexception" "defstruct"))

; Calls by a bare name, wherever it is not the head of a definition or of a type
(do_block (call target: (identifier) @call))
(source (call target: (identifier) @call))
(body (call target: (identifier) @call))
(else_block (call target: (identifier) @call))
(arguments "(" (call target: (identifier) @call))
((call target: (identifier) @_outer (arguments . (call target: (identifier) @call)))
  (#not-match? @_outer "^def"))
(pair value: (call target: (identifier) @call))
(list (call target: (identifier) @call))
(tuple (call target: (identifier) @call))
(interpolation (call target: (identifier) @call))
(dot left: (call target: (identifier) @call))
(unary_operator
  operator: ["!" "&" "-" "not"] operand: (call target: (identifier) @call))
((binary_operator left: (call target: (identifier) @call) operator: _ @_operator)
  (#not-match? @_operator "^(?:when|::)$"))
(binary_operator right: (call target: (identifier) @call))

; Calls through a module or a value. A name behind a value without arguments is a field.
((call target: (dot left: (_) @qualifier right: (identifier) @call) (arguments))
  (#not-eq? @call "t"))
(binary_operator
  operator: "|>" right: (call target: (dot left: (_) @qualifier right: (identifier) @call)))

; Types, captures and other mentions through a module; a remote type is mostly called `t`
(call target: (dot left: (alias) @qualifier right: (identifier) @reference) .)
((call target: (dot left: (alias) @qualifier right: (identifier) @reference) (arguments))
  (#eq? @reference "t"))
(unary_operator
  operator: "&"
  operand: (binary_operator left: (identifier) @reference operator: "/" right: (integer)))

; Modules
(dot left: (alias) @reference right: (identifier))
(struct (alias) @reference)
(list (alias) @reference)
(tuple (alias) @reference)
((pair key: (keyword) @_key value: (alias) @reference) (#not-match? @_key "^as:"))
(binary_operator (alias) @reference)
(body (alias) @reference)
(arguments "(" (alias) @reference)
((call target: (identifier) @_outer (arguments (alias) @reference))
  (#not-match? @_outer
    "^(?:alias|behaviour|def(?:impl|module|protocol)|import|require|use)$"))
((call target: (identifier) @_outer (arguments . (alias) @implements))
  (#any-of? @_outer "behaviour" "defimpl"))

; Imports and comments
((call target: (identifier) @_import (arguments . [(alias) (dot) (identifier)])) @import
  (#any-of? @_import "alias" "import" "require" "use"))
(comment)+ @comment
