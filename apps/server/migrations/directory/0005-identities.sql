-- Identities of OpenID providers, each with its account.
create table identity (
  issuer text not null,
  subject text not null,
  account uuid not null,
  since bigint not null,
  primary key (issuer, subject)
);
create index identity_account on identity (account);

-- A sign-up that began at a provider: its address was proved there.
alter table sign_up add column issuer text;
alter table sign_up add column subject text;
