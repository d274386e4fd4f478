-- Where a device gets its pushes. One row per device, as a browser has one subscription.
create table push_target (
  owner uuid not null,
  device uuid not null,
  -- `web`: a browser's push service, with the keys of RFC 8291. `fcm`: a token of Firebase.
  kind text not null check (kind in ('web', 'fcm')),
  address text not null,
  p256dh text check ((p256dh is not null) = (kind = 'web')),
  auth text check ((auth is not null) = (kind = 'web')),
  -- Names chats to this device only.
  tag_key text not null,
  locale text not null,
  -- Notified up to this number. Entries from before the target existed do not count.
  told_seq bigint not null,
  -- In a row, since something was last accepted there.
  failures integer not null default 0,
  retry_at bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (owner, device)
);
-- Those whose push service asked us to wait, or did not answer.
create index push_target_retry on push_target (retry_at) where retry_at > 0;

-- `since` is when a worker should look; it moves the row forward, so that another worker looks if it dies.
create index push_due_since on push_due (since);

-- As 0006, but a device that stored an entry may be out of sight: the worker decides whether to send a push.
create or replace function ack(p_owner uuid[], p_device uuid[], p_seq bigint[]) returns table (owner uuid, verdict text)
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
  )
  update mailbox m set acked_seq = least(t.seq, m.last_seq) from told t
  where m.owner = t.owner and not m.frozen and m.acked_seq < least(t.seq, m.last_seq);

  return query
  select distinct a.owner, case when m.owner is null then 'unknown' else 'moved' end
  from unnest(p_owner) as a (owner) left join mailbox m on m.owner = a.owner
  where m.owner is null or m.frozen;
end
$$;
alter function ack set plan_cache_mode = force_generic_plan;
