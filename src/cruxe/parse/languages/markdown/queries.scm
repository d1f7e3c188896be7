(atx_heading) @definition.section
(setext_heading) @definition.section
(minus_metadata) @definition.section
(plus_metadata) @definition.section
