-- What an account keeps in a collection of the hosted-service surface. `owner` is the collection's.
create table document_usage (
  owner uuid not null,
  creator uuid not null,
  bytes bigint not null,
  primary key (owner, creator)
);

-- For the sum of the bytes that accounts with an unverified address keep.
create index service_account_unverified on service_account (owner) where verified_at is null;
