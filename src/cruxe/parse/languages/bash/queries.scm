; Functions and aliases
(function_definition name: (_) @name) @definition.function
; The head of a function whose body is beyond repair
(program
  (command name: (command_name (word) @name)) @definition.function . (ERROR . "(" . ")"))
((command
   name: (command_name (word) @_alias)
   argument: [(concatenation . (word) @name) (word) @name] @definition.function)
  (#eq? @_alias "alias"))

; Variables outside functions: the rules drop those inside one, and all but the first assignment
(program [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable)
  (declaration_command (variable_name) @name @definition.variable)
  (list (variable_assignment name: (variable_name) @name) @definition.variable)
  (variable_assignments
    (variable_assignment name: (variable_name) @name) @definition.variable)
])
(if_statement [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable)
])
(elif_clause [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable)
])
(else_clause [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable)
])
(case_item [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable)
])
((program (command
   name: (command_name (word) @_colon)
   argument: [
     (string . (expansion (variable_name) @name operator: [":=" "="]))
     (expansion (variable_name) @name operator: [":=" "="])
   ] @definition.variable))
  (#eq? @_colon ":"))

; Calls: commands by name, also those that another command is given to run
((command_name (word) @call) (#match? @call "^[\\w:.!@+-]*\\w[\\w:.!@+-]*$"))
((command
   name: (command_name (word) @_runner)
   . argument: [(word) (number)]? @_option
   . argument: (word) @call)
  (#any-of? @_runner "run" "sudo" "command" "exec" "time" "nohup" "env" "xargs" "timeout" "coproc")
  (#match? @_option "^[!-]")
  (#match? @call "^\\w[\\w:.!@+-]*$"))
((command name: (command_name (word) @_trap) . argument: (word) @reference)
  (#eq? @_trap "trap")
  (#match? @reference "^\\w[\\w:.!@+-]*$"))

; Variables by the convention that those of more than one function are in capitals
((simple_expansion (variable_name) @reference) (#match? @reference "^_*[A-Z][A-Z0-9_]+$"))
((expansion (variable_name) @reference) (#match? @reference "^_*[A-Z][A-Z0-9_]+$"))
((expansion (subscript name: (variable_name) @reference))
  (#match? @reference "^_*[A-Z][A-Z0-9_]+$"))

; Imports and comments
((command name: (command_name (word) @_source)) @import
  (#any-of? @_source "source" "." "load" "bats_load_library" "bats_load_safe"))
(comment) @comment
