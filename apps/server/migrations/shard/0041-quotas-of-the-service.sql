-- What an account keeps in a collection of the hosted-service surface. `owner` is the collection's.
create table document_usage (
  owner uuid not null,
  creator uuid not null,
  bytes bigint not null,
  primary key (owner, creator)
);

-- What accounts keep together whose address nobody has verified is added up now and then.
create index service_account_unverified on service_account (owner) where verified_at is null;
