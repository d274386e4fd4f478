-- Accounts of the hosted-service surface: the id that a client chose, and the account it stands for.
create table service_user (
  id text primary key,
  account uuid not null unique
);

-- Their addresses are apart from those of `email`: an unverified one takes nothing from a user who signs up.
create table service_email (
  address text primary key,
  account uuid not null,
  verified_at bigint
);
create index service_email_account on service_email (account);
