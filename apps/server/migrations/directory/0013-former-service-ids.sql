-- Ids of removed accounts of the hosted-service surface, as SHA-256. No later account gets one: permissions may still name it.
create table service_former_id (
  hash bytea primary key,
  since bigint not null
);
