; Documents, and their keys down to the third level: deeper ones are data.
(document (block_node (block_mapping)) @scope)
(document
  (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @definition.variable)))
(document
  (block_node
    (block_mapping
      (block_mapping_pair
        value: (block_node
          (block_mapping (block_mapping_pair key: (flow_node) @name) @definition.variable))))))
(document
  (block_node
    (block_mapping
      (block_mapping_pair
        value: (block_node
          (block_mapping
            (block_mapping_pair
              value: (block_node
                (block_mapping
                  (block_mapping_pair
                    key: (flow_node) @name
                    value: (block_node (block_mapping))) @definition.variable)))))))))

; Anchors and what repeats them; a merge takes over all of a mapping.
(anchor (anchor_name) @name) @definition.constant
(alias (alias_name) @reference)
((block_mapping_pair key: (flow_node (plain_scalar) @key) value: (flow_node (alias (alias_name) @extends)))
  (#eq? @key "<<"))

(comment) @comment
