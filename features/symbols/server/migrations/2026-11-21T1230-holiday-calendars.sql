-- Calendars that administrators of companies keep; those of countries come with the product and are in no table.
create table holiday_calendars (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  -- 1 = Monday to 7 = Sunday.
  weekend int[] not null,
  -- Objects of date and name, by date ascending.
  days jsonb not null
);
create unique index holiday_calendars_name on holiday_calendars (lower(name));
