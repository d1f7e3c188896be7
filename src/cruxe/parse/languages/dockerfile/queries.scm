; Stages reach to the next `FROM`; the rules see to that.
(from_instruction) @definition.module
(arg_pair name: (unquoted_string) @name) @definition.variable
(env_pair name: (unquoted_string) @name) @definition.variable

((from_instruction (image_spec name: (image_name) @extends))
  (#not-match? @extends "\\$|^scratch$"))
; An argument that is declared above; the rules find mentions in shell commands.
(arg_pair name: (unquoted_string) @reference)

(from_instruction) @import
(copy_instruction (param)) @import
(run_instruction (mount_param)) @import
(comment) @comment
