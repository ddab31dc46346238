-- The symbols that a search by one or two letters looks at one by one: the trigram index is asked for every ASCII character
-- before and behind the letters, which leaves out these.
create index symbols_beyond_ascii on symbols (group_id, id) where search_text ~ '[^\x01-\x7f]';
