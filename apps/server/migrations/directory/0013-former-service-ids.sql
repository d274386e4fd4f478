-- Ids of removed accounts of the hosted-service surface, as SHA-256. None is given again: permissions may still name it.
create table service_former_id (
  hash bytea primary key,
  since bigint not null
);
