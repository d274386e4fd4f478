-- The audit log can't be rewritten by the server's own role: an entry gets its account and its outcome while it is `begun`,
-- and is deleted after two years. The clock is the database's, so a wrong clock of the server deletes nothing.
create function audit_log_start() returns bigint language sql stable as $$
  select (extract(epoch from now() - interval '730 days') * 1000)::bigint
$$;

create function protect_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < audit_log_start() then
    return old;
  end if;
  if tg_op = 'UPDATE'
    and old.outcome = 'begun'
    and (new.id, new.at, new.operator, new.words) is not distinct from (old.id, old.at, old.operator, old.words)
    and (old.subject is null or new.subject is not distinct from old.subject) then
    return new;
  end if;
  raise exception 'entries of the audit log are not changed' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_log_protected before update or delete on deed for each row execute function protect_audit_log();
create trigger audit_log_not_truncated before truncate on deed for each statement execute function protect_audit_log();
-- Also for a session that replicates, in which other triggers do not run.
alter table deed enable always trigger audit_log_protected;
alter table deed enable always trigger audit_log_not_truncated;
