-- When the identity was published: a device signed by an identity from before a reset by email is the owner's.
-- Null where that is not known, which is until its owner signs a device again.
alter table identity_key add column created_at bigint;
