-- Which spaces show a specification is asked with every new content.
create index link_targets_openapi on link_targets (space_id) where kind = 'openapi';
