-- Re-authentication gives the browser a new token. The one before lasts until the new one is used, and a minute longer:
-- an answer that was lost, or calls under way, must not sign the browser out.
alter table session add column former_hash bytea;
-- Null until the new token is used.
alter table session add column former_until bigint;
