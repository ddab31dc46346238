-- The letters of a text and its pairs of neighbouring letters, for searches too short for trigrams. An index on them finds one or
-- two letters anywhere. The cost keeps the planner from computing them row by row where it need not.
create function symbol_letters(text) returns text[]
language plpgsql immutable parallel safe cost 5000
as $$
declare
  letters text[] := string_to_array($1, null);
  pairs text[] := letters;
begin
  for place in 2 .. coalesce(array_length(letters, 1), 0) loop
    pairs[place] := letters[place - 1] || letters[place];
  end loop;
  return letters || pairs;
end
$$;
create index symbols_letters on symbols using gin (symbol_letters(search_text));
