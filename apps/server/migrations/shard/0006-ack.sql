-- Devices have stored their entries up to a number. Stored entries need no push.
-- Answers those whose mailbox is not here or being moved: of theirs nothing is written, and the caller follows them.

create function ack(p_owner uuid[], p_device uuid[], p_seq bigint[]) returns table (owner uuid, verdict text)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  update device d set acked_seq = a.seq
  from unnest(p_owner, p_device, p_seq) as a (owner, device, seq)
  join mailbox m on m.owner = a.owner and not m.frozen
  where d.owner = a.owner and d.id = a.device and d.acked_seq < a.seq;

  with told as (
    select owner, max(seq) as seq from unnest(p_owner, p_seq) as a (owner, seq) group by owner
  ), advanced as (
    update mailbox m set acked_seq = least(t.seq, m.last_seq) from told t
    where m.owner = t.owner and not m.frozen and m.acked_seq < least(t.seq, m.last_seq)
  )
  delete from push_due p using mailbox m, told t
  where p.owner = t.owner and m.owner = t.owner and t.seq >= m.last_seq and not m.frozen;

  return query
  select distinct a.owner, case when m.owner is null then 'unknown' else 'moved' end
  from unnest(p_owner) as a (owner) left join mailbox m on m.owner = a.owner
  where m.owner is null or m.frozen;
end
$$;
alter function ack set plan_cache_mode = force_generic_plan;

-- Every write that does not go through a mailbox row holds its bucket: the mover waits for it, and it sees the mover.
create function hold_bucket(account uuid) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7031, bucket_of(account));
  if not exists (select from bucket_here b where b.bucket = bucket_of(account) and not b.frozen) then
    raise exception 'bucket % is not here', bucket_of(account) using errcode = 'DM001';
  end if;
end
$$;
