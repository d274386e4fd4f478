-- When a session that began after a reset by email has shown something from before it: the old password, a passkey, or a
-- device that handed it the key.
alter table session add column vouched_at bigint;

-- Null for those made before this was kept.
alter table backup_version add column created_at bigint;
