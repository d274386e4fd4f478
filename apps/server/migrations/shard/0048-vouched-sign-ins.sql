-- When the person was last authenticated by what the session began with; null for sessions of before this column. A provider that does
-- not say when it authenticated the person leaves 0.
alter table service_session add column proven_at bigint;
