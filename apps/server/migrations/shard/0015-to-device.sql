-- The account's device list has changed: sends sealed for the old one are refused from now on, its own devices hear of
-- it, and its contacts are owed the news. The caller holds the bucket.
create function raise_device_list(p_owner uuid, p_now bigint) returns table (epoch integer, up_to bigint, rev integer)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with raised as (
    update mailbox m set device_rev = m.device_rev + 1, to_device = m.to_device + 1 where m.owner = p_owner
    returning m.epoch, m.to_device, m.device_rev
  ), noted as (
    insert into device_list_change (owner, account, seq, kind)
    select p_owner, p_owner, to_device, 'changed' from raised
    on conflict (owner, account) do update set seq = excluded.seq, kind = excluded.kind
  ), indebted as (
    insert into device_list_owed (owner, rev, since)
    select p_owner, device_rev, p_now from raised
    on conflict (owner) do update set rev = excluded.rev, since = excluded.since
  )
  select epoch, to_device, device_rev from raised;
end
$$;

-- Tells `p_owner`s that the devices of `p_account` changed, or are none of their business any more.
create function note_device_list(p_owner uuid[], p_account uuid, p_kind text)
returns table (owner uuid, verdict text, epoch integer, up_to bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  return query
  with raised as (
    update mailbox m set to_device = m.to_device + 1
    from unnest(p_owner) as told (owner)
    where m.owner = told.owner and not m.frozen
    returning m.owner, m.epoch, m.to_device
  ), noted as (
    insert into device_list_change (owner, account, seq, kind)
    select owner, p_account, to_device, p_kind from raised
    on conflict (owner, account) do update set seq = excluded.seq, kind = excluded.kind
  )
  select told.owner, case when r.owner is not null then 'told' when m.owner is null then 'unknown' else 'moved' end,
    r.epoch, r.to_device
  from unnest(p_owner) as told (owner)
  left join raised r on r.owner = told.owner
  left join mailbox m on m.owner = told.owner;
end
$$;
alter function note_device_list set enable_seqscan = off;
alter function note_device_list set plan_cache_mode = force_generic_plan;

-- Queues events for devices, each account's once per (sender, its device, txn). `*` is every device that has a session
-- and keys, but not the sender's. What names no device is dropped.
--
-- A device that does not fetch keeps the newest: 200 of one sender, 5,000 in all. What falls out is in the key backup.
create function send_to_device(
  p_owner uuid[], p_device text[], p_event text[], p_sender uuid, p_sender_device text, p_txn text, p_now bigint
) returns table (owner uuid, verdict text, epoch integer, up_to bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_fresh uuid[];
  v_queue record;
  v_cut bigint;
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  with asked as (select distinct o.owner from unnest(p_owner) as o (owner)), noted as (
    insert into to_device_txn (owner, sender, device, txn, at)
    select a.owner, p_sender, p_sender_device, p_txn, p_now
    from asked a join mailbox m on m.owner = a.owner and not m.frozen
    on conflict do nothing
    returning owner
  )
  select coalesce(array_agg(n.owner), '{}') into v_fresh from noted n;

  with wanted as (
    select w.* from unnest(p_owner, p_device, p_event) with ordinality as w (owner, device, event, ord)
    where w.owner = any (v_fresh)
  ), addressed as (
    select w.owner, k.device, w.event, w.ord from wanted w
    join device_key k on k.owner = w.owner and k.device = w.device
    union all
    select w.owner, k.device, w.event, w.ord from wanted w
    join device_key k on k.owner = w.owner
    where w.device = '*' and not (k.owner = p_sender and k.device = p_sender_device)
      and not exists (select from dehydrated_device d where d.owner = k.owner and d.device = k.device)
  ), numbered as (
    select a.*, m.to_device + row_number() over (partition by a.owner order by a.ord, a.device) as seq
    from addressed a join mailbox m on m.owner = a.owner
  ), queued as (
    insert into to_device (owner, device, seq, sender, event)
    select owner, device, seq, p_sender, event from numbered
  )
  update mailbox m set to_device = top.seq
  from (select owner, max(seq) as seq from numbered group by owner) top
  where m.owner = top.owner;

  for v_queue in select k.owner, k.device from device_key k where k.owner = any (v_fresh) loop
    select x.seq into v_cut from to_device x
    where x.owner = v_queue.owner and x.device = v_queue.device and x.sender = p_sender
    order by x.seq desc offset 200 limit 1;
    -- Rows that the device is just now striking off need no second hand, and waiting for it could deadlock.
    delete from to_device t where t.ctid in (
      select x.ctid from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.sender = p_sender and x.seq <= v_cut
      for update skip locked
    );
    select x.seq into v_cut from to_device x
    where x.owner = v_queue.owner and x.device = v_queue.device
    order by x.seq desc offset 5000 limit 1;
    delete from to_device t where t.ctid in (
      select x.ctid from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.seq <= v_cut
      for update skip locked
    );
  end loop;

  return query
  select a.owner,
    case when m.owner is null then 'unknown' when m.frozen then 'moved' when a.owner = any (v_fresh) then 'queued' else 'duplicate' end,
    m.epoch, m.to_device
  from (select distinct o.owner from unnest(p_owner) as o (owner)) a
  left join mailbox m on m.owner = a.owner;
end
$$;
alter function send_to_device set enable_seqscan = off;
alter function send_to_device set plan_cache_mode = force_generic_plan;
