-- When the way that started the session last authenticated the person; null for sessions from before this column. A provider that does
-- not say when it authenticated the person leaves 0.
alter table service_session add column proven_at bigint;
