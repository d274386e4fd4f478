-- One-time links to the operator's console, and the sessions that they open. Only hashes of the secrets are kept.
create table console_link (
  secret_hash bytea primary key,
  operator text not null,
  expires_at bigint not null
);

create table console_session (
  token_hash bytea primary key,
  operator text not null,
  seen_at bigint not null,
  expires_at bigint not null
);
