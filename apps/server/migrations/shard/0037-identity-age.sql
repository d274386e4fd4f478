-- Since when somebody is who they are to others: a device signed by an identity of before a reset by mail is the owner's.
-- Null where that is not known, which is until its owner signs a device again.
alter table identity_key add column created_at bigint;
