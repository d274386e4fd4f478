-- When the session last showed the current password; a change of the password uses it up.
alter table session add column password_proven_at bigint;
