-- Text without its letter case, the same for what is stored and for what is looked for. A capital sigma has two small letters, by its place in
-- the word, and a capital I with a dot one or two characters, by the locale; here each has one.
create function fold_case(text) returns text
language sql immutable parallel safe
return replace(translate(lower($1), U&'\03C2', U&'\03C3'), U&'i\0307', 'i');

create or replace function symbol_search_text(keys jsonb, metadata jsonb) returns text
language sql immutable parallel safe
return fold_case(
  e'\n' || coalesce((select string_agg(key || '=' || value, e'\n') from jsonb_each_text(keys)), '')
  || e'\n' || coalesce((select string_agg(key || '=' || value, e'\n') from jsonb_each_text(metadata)), '') || e'\n'
);

-- Computes the text anew where it differs.
update symbols set keys = keys where search_text <> symbol_search_text(keys, metadata);
