(table . (_) @name) @definition.module
(table_array_element . (_) @name) @definition.module
(document (pair . (_) @name) @definition.variable)
(table (pair . (_) @name) @definition.variable)

(comment) @comment
