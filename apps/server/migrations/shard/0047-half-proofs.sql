-- When the session last showed the first of two factors; the second completes the re-authentication.
alter table session add column half_proven_at bigint;
