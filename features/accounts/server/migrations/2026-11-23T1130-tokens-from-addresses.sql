-- Hash of the random text by which a browser used a token that was part of an address.
alter table refresh_tokens add column used_by bytea;
