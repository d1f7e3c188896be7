; Elements: a component's name is capitalised, any other is the platform's.

(jsx_opening_element name: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
] (#match? @reference "^[^a-z]"))
(jsx_self_closing_element name: [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
] (#match? @reference "^[^a-z]"))
(jsx_expression [
  (identifier) @reference
  (member_expression object: (_) @qualifier property: (_) @reference)
])
