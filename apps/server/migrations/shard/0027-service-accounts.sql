-- A secret that an email or a provider gives to a user, to be used once: only a hash of it is kept.
create table service_token (
  owner uuid not null,
  id text not null,
  purpose text not null check (purpose in ('verification', 'recovery')),
  hash bytea not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (owner, id)
);

-- A second factor that one session was asked for. `hash` is of the code that was mailed; an app makes its own.
create table service_challenge (
  owner uuid not null,
  id text not null,
  session text not null,
  factor text not null check (factor in ('totp', 'email', 'recoveryCode')),
  hash bytea,
  tries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (owner, id)
);

-- Recovery codes that may be shown again are also kept sealed.
alter table recovery_code add column sealed text;

-- Where a session wants to be told of things. It goes with the session.
create table service_target (
  owner uuid not null,
  id text not null,
  session text not null,
  provider text,
  identifier text not null,
  is_expired boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (owner, id)
);

-- Topics of a target. The column is with the account: no query lists the subscribers of a topic yet.
create table service_subscriber (
  owner uuid not null,
  topic text not null,
  id text not null,
  target text not null,
  created_at bigint not null,
  primary key (owner, topic, id),
  unique (owner, topic, target)
);
