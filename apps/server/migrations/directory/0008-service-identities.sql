-- Whom an OpenID provider vouches for on the hosted-service surface. Apart from `identity`: an account there has a vault,
-- and signing in to the product must not lead into one that has none.
create table service_identity (
  issuer text not null,
  subject text not null,
  account uuid not null,
  since bigint not null,
  primary key (issuer, subject)
);
create index service_identity_account on service_identity (account);
