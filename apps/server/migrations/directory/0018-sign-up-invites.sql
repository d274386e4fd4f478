-- Invites of the operator, for a server that does not let everyone sign up. Only a hash of the secret is kept.
create table sign_up_invite (
  id uuid primary key,
  secret_hash bytea not null unique,
  -- Null: for any address that the server accepts.
  email text,
  note text,
  uses integer not null,
  uses_left integer not null check (uses_left >= 0),
  created_at bigint not null,
  expires_at bigint not null
);
create index sign_up_invite_expires on sign_up_invite (expires_at);

-- The invite that the end of the sign-up uses: of the account `inviter`, or of the operator if that is null.
alter table sign_up add column invite uuid;
alter table sign_up add column inviter uuid;
create index sign_up_account on sign_up (account);

-- A return from the OpenID provider to an address that has an account: its owner links the identity, and no account is made.
alter table sign_up add column is_for_link boolean not null default false;
