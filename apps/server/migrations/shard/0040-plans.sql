-- Look-ups that no statistics can turn into reading all that an owner has.
--
-- A function keeps its plans until one of their tables is vacuumed. To a planner that knows a table as empty, every index
-- that begins with the owner costs the same, and a join by key costs the same as one that reads the whole index. So:
-- * A look-up in the log asks for its row in the order of the one index that serves it. It is a range (`between x and x`),
--   because the order of equal values would be dropped as superfluous. Sorting is forbidden: any other index would need it.
-- * A row of another table is found by `lateral … limit 1`, and changed by its place if the function has locked it before.
-- * Forbidden plans are given a cost beyond all others, which must not start the compiler (`jit`).
--
-- `create or replace` needs the whole body: most of it repeats 0008, 0015, 0033 and 0035.

create function keep_to_indexes(function_name regproc) returns void
language plpgsql as $$
declare
  setting text;
begin
  foreach setting in array array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_sort', 'jit'] loop
    execute format('alter function %s set %I = off', function_name, setting);
  end loop;
  execute format('alter function %s set plan_cache_mode = force_generic_plan', function_name);
end
$$;

select patch_function('append',
  $$from log old where old.owner = e.owner and old.sender = e.sender and old.message_id = e.id limit 1$$,
  $$from log old where old.owner = e.owner and old.sender = e.sender and old.message_id between e.id and e.id
      order by old.message_id limit 1$$);
select patch_function('append',
  $$when exists (select from log l where l.owner = e.owner and l.sender = e.sender) then 'request_pending'$$,
  $$when (
          select true from log l where l.owner = e.owner and l.sender = e.sender order by l.message_id limit 1
        ) then 'request_pending'$$);
select patch_function('append',
  $$where t.owner = e.owner and t.sender = e.erases_sender and t.message_id = e.erases_id and t.erases_id is null
            limit 1$$,
  $$where t.owner = e.owner and t.sender = e.erases_sender and t.message_id between e.erases_id and e.erases_id
              and t.erases_id is null
            order by t.message_id limit 1$$);
-- Twice: of what is kept for the sender, and of what is erased.
select patch_function('append',
  $$where t.owner = p.owner and t.sender = p.erases_sender and t.message_id = p.erases_id limit 1$$,
  $$where t.owner = p.owner and t.sender = p.erases_sender and t.message_id between p.erases_id and p.erases_id
      order by t.message_id limit 1$$);
select patch_function('append',
  $$from (select owner, max(final_seq) as seq from placed where is_new group by owner) top
    where m.owner = top.owner$$,
  $$from (select owner, max(final_seq) as seq from placed where is_new group by owner) top,
      lateral (select ctid from mailbox where owner = top.owner limit 1) place
    where m.ctid = place.ctid$$);
select keep_to_indexes('append');

select patch_function('put_registers',
  $$from (select owner, max(next_rev) as rev from numbered where verdict = 'changed' group by owner) top
    where m.owner = top.owner$$,
  $$from (select owner, max(next_rev) as rev from numbered where verdict = 'changed' group by owner) top,
      lateral (select ctid from mailbox where owner = top.owner limit 1) place
    where m.ctid = place.ctid$$);
select keep_to_indexes('put_registers');

-- What a sender's mailbox says before a send across shards: the device list, and what the id is known as.
create or replace function look_at_senders(p_owner uuid[], p_id uuid[])
returns table (ord bigint, device_rev integer, chat uuid, erases_sender uuid, erases_id uuid)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select w.ord, m.device_rev, old.chat, old.erases_sender, old.erases_id
  from unnest(p_owner, p_id) with ordinality as w (owner, id, ord)
  left join lateral (select * from mailbox where owner = w.owner limit 1) m on true
  left join lateral (
    select * from log l where l.owner = w.owner and l.sender = w.owner and l.message_id between w.id and w.id
    order by l.message_id limit 1
  ) old on true;
end
$$;
select keep_to_indexes('look_at_senders');

create function is_stored(p_owner uuid, p_sender uuid, p_id uuid) returns boolean
language plpgsql stable as $$
begin
  return (
    select true from log l where l.owner = p_owner and l.sender = p_sender and l.message_id between p_id and p_id
    order by l.message_id limit 1
  ) is not null;
end
$$;
select keep_to_indexes('is_stored');

create function read_heads(p_owner uuid[]) returns setof mailbox
language plpgsql stable as $$
begin
  return query
  select m.* from unnest(p_owner) as w (owner), lateral (select * from mailbox where owner = w.owner limit 1) m;
end
$$;
select keep_to_indexes('read_heads');

-- A chat read backwards, newest first.
create function read_chat(p_owner uuid, p_chat uuid, p_before bigint, p_limit integer) returns setof log
language plpgsql stable as $$
begin
  return query
  select l.* from log l where l.owner = p_owner and (l.chat, l.seq) < (p_chat, p_before) and l.chat >= p_chat
  order by l.chat desc, l.seq desc limit p_limit;
end
$$;
select keep_to_indexes('read_chat');

-- The newest message of each chat that has one.
create function read_newest(p_owner uuid, p_chats uuid[]) returns setof log
language plpgsql stable as $$
begin
  return query
  select l.* from unnest(p_chats) as c (chat), lateral (
    select * from log where owner = p_owner and chat between c.chat and c.chat and erases_id is null
    order by log.chat desc, seq desc limit 1
  ) l;
end
$$;
select keep_to_indexes('read_newest');

-- How many entries of each chat have a notification and are after its read receipt; counting stops at `p_max`.
create function count_unread(p_owner uuid, p_chats uuid[], p_keys text[], p_max integer)
returns table (chat uuid, unread bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select c.chat, u.unread
  from unnest(p_chats, p_keys) as c (chat, key)
  left join lateral (select mark from register where owner = p_owner and key = c.key limit 1) r on true
  cross join lateral (
    select count(*) as unread from (
      select from log l
      where l.owner = p_owner and (l.chat, l.seq) > (c.chat, coalesce(r.mark, 0)) and l.chat <= c.chat
        and l.rings and l.body is not null and l.sender <> l.owner
      order by l.chat, l.seq limit p_max
    ) ringing
  ) u;
end
$$;
select keep_to_indexes('count_unread');

-- The last entry of each sender in a chat between the mark of the register and `p_up_to`.
create function list_read_up_to(p_owner uuid, p_chat uuid, p_key text, p_up_to bigint)
returns table (sender uuid, seq bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select l.sender, max(l.seq) from (
    select sender, seq from log
    where owner = p_owner and (chat, seq) <= (p_chat, p_up_to)
      and (chat, seq) > (p_chat, coalesce((select mark from register where owner = p_owner and key = p_key), 0))
    order by chat, seq
  ) l group by l.sender;
end
$$;
select keep_to_indexes('list_read_up_to');

-- The last of what `p_sender` wrote in a chat that a device of the owner has stored.
create function find_arrived(p_owner uuid, p_chat uuid, p_sender uuid) returns bigint
language plpgsql stable as $$
begin
  return (
    select l.seq from mailbox m, lateral (
      select seq from log
      where owner = m.owner and (chat, seq) <= (p_chat, m.acked_seq) and chat >= p_chat and sender = p_sender
      order by chat desc, seq desc limit 1
    ) l where m.owner = p_owner
  );
end
$$;
select keep_to_indexes('find_arrived');

-- As 0033. Device rows are not locked before, so each update finds its row by the key again.
create or replace function ack(p_owner uuid[], p_device uuid[], p_seq bigint[]) returns table (owner uuid, verdict text)
language plpgsql as $$
#variable_conflict use_column
declare
  stored record;
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  for stored in
    select a.owner, a.device, a.seq from unnest(p_owner, p_device, p_seq) as a (owner, device, seq),
      lateral (select from mailbox m where m.owner = a.owner and not m.frozen limit 1) here
  loop
    update device d set acked_seq = stored.seq
    where d.owner = stored.owner and d.id = stored.device and d.acked_seq < stored.seq;
    update mailbox m set acked_seq = least(stored.seq, m.last_seq)
    where m.owner = stored.owner and m.acked_seq < least(stored.seq, m.last_seq);
  end loop;

  return query
  select distinct a.owner, case when m.owner is null then 'unknown' else 'moved' end
  from unnest(p_owner) as a (owner) left join lateral (select * from mailbox where owner = a.owner limit 1) m on true
  where m.owner is null or m.frozen;
end
$$;
select keep_to_indexes('ack');

select keep_to_indexes('raise_device_list');

-- Tells `p_owner`s that the devices of `p_account` changed, or are none of their business any more.
create or replace function note_device_list(p_owner uuid[], p_account uuid, p_kind text)
returns table (owner uuid, verdict text, epoch integer, up_to bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  return query
  with told as materialized (
    select t.owner, m.ctid as place, m.epoch, m.frozen, m.to_device + 1 as up_to
    from unnest(p_owner) as t (owner)
    left join lateral (select ctid, * from mailbox where owner = t.owner limit 1) m on true
  ), raised as (
    update mailbox m set to_device = told.up_to from told where m.ctid = told.place and not told.frozen
  ), noted as (
    insert into device_list_change (owner, account, seq, kind)
    select owner, p_account, up_to, p_kind from told where not frozen
    on conflict (owner, account) do update set seq = excluded.seq, kind = excluded.kind
  )
  select owner, case when frozen is null then 'unknown' when frozen then 'moved' else 'told' end,
    case when not frozen then epoch end, case when not frozen then up_to end
  from told;
end
$$;
select keep_to_indexes('note_device_list');

-- As 0035. That a queue is over its limit is counted only where its numbers span more than the limit.
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
    from asked a, lateral (select from mailbox m where m.owner = a.owner and not m.frozen limit 1) here
    on conflict do nothing
    returning owner
  )
  select coalesce(array_agg(n.owner), '{}') into v_fresh from noted n;

  with wanted as (
    select w.* from unnest(p_owner, p_device, p_event) with ordinality as w (owner, device, event, ord)
    where w.owner = any (v_fresh)
  ), addressed as (
    select w.owner, k.device, w.event, w.ord from wanted w, lateral (
      select k.device from device_key k where k.owner = w.owner and k.device = w.device limit 1
    ) k
    union all
    select w.owner, k.device, w.event, w.ord from wanted w, lateral (
      select k.device from device_key k where k.owner = w.owner order by k.device
    ) k
    where w.device = '*' and not (w.owner = p_sender and k.device = p_sender_device)
      and (select true from dehydrated_device d where d.owner = w.owner and d.device = k.device limit 1) is null
  ), numbered as materialized (
    select a.*, m.place, m.to_device + row_number() over (partition by a.owner order by a.ord, a.device) as seq
    from addressed a, lateral (select ctid as place, to_device from mailbox where owner = a.owner limit 1) m
  ), queued as (
    insert into to_device (owner, device, seq, sender, event)
    select owner, device, seq, p_sender, event from numbered
  )
  update mailbox m set to_device = top.seq
  from (select place, max(seq) as seq from numbered group by place) top
  where m.ctid = top.place;

  for v_queue in
    select f.owner, k.device, f.owner = p_sender or coalesce(c.state = 'accepted', false) as is_accepted
    from unnest(v_fresh) as f (owner)
    cross join lateral (select k.device from device_key k where k.owner = f.owner order by k.device) k
    left join lateral (select c.state from contact c where c.owner = f.owner and c.peer = p_sender limit 1) c on true
  loop
    select x.seq into v_cut from to_device x
    where x.owner = v_queue.owner and x.device = v_queue.device and x.sender between p_sender and p_sender
    order by x.sender desc, x.seq desc offset case when v_queue.is_accepted then 200 else 20 end limit 1;
    -- Rows that the device is just now striking off need no second hand, and waiting for it could deadlock.
    delete from to_device t where t.ctid = any (array(
      select x.ctid from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.sender = p_sender and x.seq <= v_cut
      for update skip locked
    ));

    if not v_queue.is_accepted then
      select x.seq into v_cut from to_device x
      where x.owner = v_queue.owner and x.device = v_queue.device and x.sender <> x.owner and (
        select true from contact c where c.owner = x.owner and c.peer = x.sender and c.state = 'accepted' limit 1
      ) is null
      order by x.seq desc offset 500 limit 1;
      delete from to_device t where t.ctid = any (array(
        select x.ctid from to_device x
        where x.owner = v_queue.owner and x.device = v_queue.device and x.seq <= v_cut and x.sender <> x.owner and (
          select true from contact c where c.owner = x.owner and c.peer = x.sender and c.state = 'accepted' limit 1
        ) is null
        for update skip locked
      ));
    end if;

    select last.seq - first.seq + 1 - 5000 into v_excess
    from (
      select x.seq from to_device x where x.owner = v_queue.owner and x.device = v_queue.device order by x.seq limit 1
    ) first, (
      select x.seq from to_device x where x.owner = v_queue.owner and x.device = v_queue.device
      order by x.seq desc limit 1
    ) last;
    if v_excess > 0 then
      select count(*) - 5000 into v_excess from to_device x where x.owner = v_queue.owner and x.device = v_queue.device;
    end if;
    if v_excess > 0 then
      delete from to_device t where t.ctid = any (array(
        select x.ctid from to_device x
        where x.owner = v_queue.owner and x.device = v_queue.device and x.seq = any (array(
          select y.seq from to_device y
          left join lateral (
            select true as is_known from contact c
            where c.owner = y.owner and c.peer = y.sender and c.state = 'accepted' limit 1
          ) c on true
          where y.owner = v_queue.owner and y.device = v_queue.device
          order by y.sender = y.owner or c.is_known is not null, y.seq limit v_excess
        ))
        for update skip locked
      ));
    end if;
  end loop;

  return query
  select a.owner,
    case when m.owner is null then 'unknown' when m.frozen then 'moved' when a.owner = any (v_fresh) then 'queued' else 'duplicate' end,
    m.epoch, m.to_device
  from (select distinct o.owner from unnest(p_owner) as o (owner)) a
  left join lateral (select * from mailbox where owner = a.owner limit 1) m on true;
end
$$;
select keep_to_indexes('send_to_device');
