; Documents, and their keys down to the third level: deeper ones are data.
(document (object) @scope)
(document (object (pair key: (string) @name) @definition.variable))
(document (object (pair value: (object (pair key: (string) @name) @definition.variable))))
(document
  (object
    (pair
      value: (object
        (pair value: (object (pair key: (string) @name value: (object)) @definition.variable))))))

; Settings that build on those of other files
((document (object (pair key: (string (string_content) @key) value: (_)) @import))
  (#eq? @key "extends"))

(comment) @comment
