-- Since when somebody is who they are to others: a device signed by an identity of before a reset by mail is the owner's.
-- Null where that is not known, which is for those who have reset within the last month.
alter table identity_key add column created_at bigint;
update identity_key k set created_at = 0 where not exists (select from recovery r where r.owner = k.owner);
