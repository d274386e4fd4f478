-- Links in emails: each works once and for a while. Only a hash is kept. Those that are used or old stay for a week,
-- so that the page can say which.
create table mail_link (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('recovery', 'email-old', 'email-new')),
  account uuid not null,
  -- Where it was mailed to.
  address text not null,
  locale text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index mail_link_account on mail_link (account);
create index mail_link_expires on mail_link (expires_at);

-- A change of address under way: done once both have confirmed.
create table email_change (
  account uuid primary key,
  address text not null,
  old_at bigint,
  new_at bigint,
  created_at bigint not null,
  expires_at bigint not null
);
create index email_change_expires on email_change (expires_at);
