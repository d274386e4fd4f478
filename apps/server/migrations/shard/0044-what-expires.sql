-- Lets the worker find what has expired without reading the rest.
create index service_session_expires on service_session (expires_at);
create index service_session_updated on service_session (updated_at);
create index service_token_expires on service_token (expires_at);
create index service_challenge_expires on service_challenge (expires_at);
