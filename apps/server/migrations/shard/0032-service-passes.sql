-- Who comes from the OpenID provider to a page elsewhere brings a token, and exchanges it for a session of these factors.
alter table service_token drop constraint service_token_purpose_check;
alter table service_token add constraint service_token_purpose_check
  check (purpose in ('verification', 'recovery', 'oauth2'));
alter table service_token add column factors text[] not null default '{}';
