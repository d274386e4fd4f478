-- A session that still owes a second factor may only give it. It has no device yet.
alter table session add column pending boolean not null default false;

create table factor (
  owner uuid not null,
  kind text not null check (kind in ('totp', 'email', 'phone')),
  -- The secret of the app, the number of the phone; sealed by the server's key: a dump alone makes no codes.
  sealed text,
  -- Null until a code has confirmed it: until then it protects nothing and locks no user out.
  confirmed_at bigint,
  -- The last step of time whose code was taken: a code seen over a shoulder works no second time.
  last_step bigint,
  last_used_at bigint,
  created_at bigint not null,
  primary key (owner, kind)
);

create table recovery_code (
  owner uuid not null,
  hash bytea not null,
  created_at bigint not null,
  used_at bigint,
  primary key (owner, hash)
);

-- A code on its way by mail or text message, for one session and one purpose.
create table session_code (
  owner uuid not null,
  session uuid not null,
  purpose text not null,
  hash bytea,
  sent_at bigint not null,
  tries integer not null default 0,
  primary key (owner, session, purpose)
);
