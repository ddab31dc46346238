-- Number of uploads that have stored a content and have not recorded it yet. Without any, a content that nothing has can be removed at once.
alter table released_contents add column pending integer not null default 0;
