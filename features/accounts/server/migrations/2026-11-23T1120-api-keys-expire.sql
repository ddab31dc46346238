alter table api_keys add column expires_at timestamptz;
