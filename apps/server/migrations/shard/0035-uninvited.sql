-- What a sender who is not accepted may leave in the owner's mailbox.

-- An erasure is a log entry and wakes every device. A sender who is not accepted deletes each of their messages
-- once: else a stranger could fill the log with erasures, and read from its numbers how busy the owner is.
-- A message that its owner has emptied meanwhile is taken back like any other, so that its sender learns nothing of that.
-- Scalar look-ups with `limit 1`: no plan but the index, as everywhere in this function; the order of the second is that of
-- the index over senders, so that a planner who knows an empty table does not read all that the owner has.
select patch_function('append',
  $$when e.erases_id is not null then 'new'$$,
  $$when e.erases_id is not null then case
          when (
            select t.body is not null or (
              select true from log d where d.owner = t.owner and d.sender = e.sender and d.erases_id = t.message_id
              order by d.message_id limit 1
            ) is null
            from log t
            where t.owner = e.owner and t.sender = e.erases_sender and t.message_id = e.erases_id and t.erases_id is null
            limit 1
          ) then 'new'
          else 'request_pending'
        end$$);

-- Queues events for devices, each account's once per (sender, its device, txn). `*` is every device that has a session
-- and keys, but not the sender's. What names no device is dropped.
--
-- As 0015, and a device that does not fetch keeps the newest: 200 of one sender, 20 of one whom its owner has not accepted,
-- 500 of all those, 5,000 in all. Over that, what came from the not accepted goes first: a room key of a friend that
-- waiting is not pushed out by requests, which anyone can send by the dozen. The key backup has what is dropped.
create or replace function send_to_device(
  p_owner uuid[], p_device text[], p_event text[], p_sender uuid, p_sender_device text, p_txn text, p_now bigint
) returns table (owner uuid, verdict text, epoch integer, up_to bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_fresh uuid[];
  v_queue record;
  v_cut bigint;
  v_excess bigint;
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

  for v_queue in
    select k.owner, k.device, k.owner = p_sender or coalesce(c.state = 'accepted', false) as is_accepted
    from device_key k left join contact c on c.owner = k.owner and c.peer = p_sender
    where k.owner = any (v_fresh)
  loop
    select x.seq into v_cut from to_device x
    where x.owner = v_queue.owner and x.device = v_queue.device and x.sender = p_sender
    order by x.seq desc offset case when v_queue.is_accepted then 200 else 20 end limit 1;
    -- Rows that the device is just now striking off need no second hand, and waiting for it could deadlock.
    delete from to_device t where t.ctid in (
      select x.ctid from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.sender = p_sender and x.seq <= v_cut
      for update skip locked
    );

    if not v_queue.is_accepted then
      select x.seq into v_cut from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.sender <> x.owner
        and not exists (select from contact c where c.owner = x.owner and c.peer = x.sender and c.state = 'accepted')
      order by x.seq desc offset 500 limit 1;
      delete from to_device t where t.ctid in (
        select x.ctid from to_device x
        where x.owner = v_queue.owner and x.device = v_queue.device and x.seq <= v_cut and x.sender <> x.owner
          and not exists (select from contact c where c.owner = x.owner and c.peer = x.sender and c.state = 'accepted')
        for update skip locked
      );
    end if;

    select count(*) - 5000 into v_excess from to_device x where x.owner = v_queue.owner and x.device = v_queue.device;
    if v_excess > 0 then
      delete from to_device t where t.ctid in (
        select x.ctid from to_device x
        where x.owner = v_queue.owner and x.device = v_queue.device and x.seq = any (array(
          select y.seq from to_device y
          left join contact c on c.owner = y.owner and c.peer = y.sender and c.state = 'accepted'
          where y.owner = v_queue.owner and y.device = v_queue.device
          order by y.sender = y.owner or c.peer is not null, y.seq limit v_excess
        ))
        for update skip locked
      );
    end if;
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
