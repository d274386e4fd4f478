-- As 0003, and an id that is known as something else is refused: in another chat, or erasing another message.
-- A repeat would otherwise leave the recipient with a message of which the sender has no copy, or the two with copies that
-- erase different messages.

create or replace function append(
  p_unit integer[], p_owner uuid[], p_sender uuid[], p_id uuid[], p_chat uuid[], p_at bigint[], p_body bytea[],
  p_rings boolean[], p_device_rev integer[], p_peer_seq bigint[], p_owed uuid[], p_erases_sender uuid[], p_erases_id uuid[],
  p_settled_owner uuid[], p_settled_seq bigint[]
) returns table (ord integer, verdict text, seq bigint, at bigint, epoch integer, peer_seq bigint, to_device bigint, differs boolean, stored bytea)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  return query
  with entry as materialized (
    select e.*, m.epoch, m.last_seq, m.to_device, old.seq as old_seq, old.at as old_at, old.body as old_body,
      case
        when m.owner is null then 'unknown'
        when m.frozen then 'moved'
        when old.seq is not null then case
          when (old.chat, old.erases_sender, old.erases_id) is distinct from (e.chat, e.erases_sender, e.erases_id) then 'id_taken'
          else 'duplicate'
        end
        when e.device_rev <> m.device_rev then 'stale_devices'
        when e.sender = e.owner or c.state = 'accepted' then 'new'
        when c.state = 'blocked' then 'blocked'
        -- Taking words back is not writing more of them.
        when e.erases_id is not null then 'new'
        when exists (select from log l where l.owner = e.owner and l.sender = e.sender) then 'request_pending'
        when exists (
          select from unnest(p_owner, p_sender) with ordinality as earlier (owner, sender, ord)
          where earlier.owner = e.owner and earlier.sender = e.sender and earlier.ord < e.ord
        ) then 'request_pending'
        else 'new'
      end as own_verdict
    from unnest(p_unit, p_owner, p_sender, p_id, p_chat, p_at, p_body, p_rings, p_device_rev, p_peer_seq, p_owed, p_erases_sender, p_erases_id)
      with ordinality as e (unit, owner, sender, id, chat, at, body, rings, device_rev, peer_seq, owed, erases_sender, erases_id, ord)
    left join lateral (select * from mailbox where owner = e.owner limit 1) m on true
    left join lateral (
      select old.seq, old.at, old.chat, old.erases_sender, old.erases_id,
        coalesce(old.body, (select o.body from owed o where o.owner = old.owner and o.seq = old.seq)) as body
      from log old where old.owner = e.owner and old.sender = e.sender and old.message_id = e.id limit 1
    ) old on true
    left join lateral (select * from contact where owner = e.owner and peer = e.sender limit 1) c on true
  ), judged as (
    select entry.*,
      -- A message that is stored already was sealed for the devices of its time: its copy is not refused for newer ones.
      case when own_verdict = 'stale_devices' and first_value(old_seq) over unit is not null then 'new' else own_verdict end as verdict,
      first_value(old_seq) over unit as lead_old_seq,
      first_value(old_at) over unit as lead_old_at,
      first_value(old_body) over unit as lead_old_body
    from entry
    window unit as (partition by unit order by ord)
  ), decided as (
    select judged.*,
      verdict = 'new' and not bool_or(verdict not in ('new', 'duplicate')) over (partition by unit) as is_new
    from judged
  ), numbered as (
    select decided.*,
      case when is_new then last_seq + row_number() over (partition by owner, is_new order by ord) else old_seq end as final_seq,
      case when lead_old_seq is null then at else lead_old_at end as final_at,
      case when lead_old_seq is null then body else lead_old_body end as final_body
    from decided
  ), placed as materialized (
    select numbered.*,
      case when row_number() over unit > 1 then first_value(final_seq) over unit else peer_seq end as final_peer_seq,
      case when is_new then final_body else old_body end as stored_body
    from numbered
    window unit as (partition by unit order by ord)
  ), inserted as (
    insert into log (owner, seq, sender, message_id, chat, at, peer_seq, to_device, erases_sender, erases_id, body)
    select owner, final_seq, sender, id, chat, final_at, final_peer_seq, to_device, erases_sender, erases_id, final_body
    from placed where is_new
  ), advanced as (
    update mailbox m set last_seq = top.seq
    from (select owner, max(final_seq) as seq from placed where is_new group by owner) top
    where m.owner = top.owner
  ), indebted as (
    insert into owed (owner, seq, target, since)
    select owner, final_seq, owed, final_at from placed where is_new and owed is not null
  ), rung as (
    insert into push_due (owner, since)
    select distinct on (owner) owner, final_at from placed where is_new and rings
    on conflict do nothing
  ), kept as (
    -- The sender's copy is still to be made from this row: what its owner erases for themselves stays for the sender.
    update owed o set body = case when p.sender = p.owner then coalesce(target.body, o.body) end
    from placed p, lateral (
      select * from log t where t.owner = p.owner and t.sender = p.erases_sender and t.message_id = p.erases_id limit 1
    ) target, lateral (
      select d.ctid from owed d where d.owner = target.owner and d.seq = target.seq for update skip locked
    ) debt
    where p.is_new and p.erases_id is not null and o.ctid = debt.ctid
  ), erased as (
    -- A transaction that changes a log holds its mailbox, so no row found here moves before it is written.
    update log l set body = null
    from placed p, lateral (
      select t.ctid from log t where t.owner = p.owner and t.sender = p.erases_sender and t.message_id = p.erases_id limit 1
    ) target
    where p.is_new and p.erases_id is not null and l.ctid = target.ctid
  ), settled as (
    -- Another transaction settles this row right now; waiting for it could deadlock.
    delete from owed o
    using unnest(p_settled_owner, p_settled_seq) as s (owner, seq), lateral (
      select d.ctid from owed d where d.owner = s.owner and d.seq = s.seq for update skip locked
    ) done
    where o.ctid = done.ctid
  )
  select p.ord::integer, case when p.verdict = 'new' and not p.is_new then 'withheld' else p.verdict end,
    p.final_seq, case when p.is_new then p.final_at else p.old_at end, p.epoch, p.final_peer_seq, p.to_device,
    p.stored_body is distinct from p.body, case when p.stored_body is distinct from p.body then p.stored_body end
  from placed p;
end
$$;

-- The right plan for one entry and for four hundred is the same nested loop over indexes; statistics of an empty or a
-- bloated table must not talk the planner into reading it whole. These settings forbid other joins; that each look-up
-- above is a `lateral … limit 1` forbids the nested loop that reads a whole index: to a planner that has seen the table
-- empty it costs the same, and an append then took a second.
alter function append set enable_seqscan = off;
alter function append set enable_hashjoin = off;
alter function append set enable_mergejoin = off;
alter function append set plan_cache_mode = force_generic_plan;

-- What a sender's mailbox says before a send across shards: the device list, and what the id is known as.
create function look_at_senders(p_owner uuid[], p_id uuid[])
returns table (ord bigint, device_rev integer, chat uuid, erases_sender uuid, erases_id uuid)
language sql stable as $$
  select w.ord, m.device_rev, old.chat, old.erases_sender, old.erases_id
  from unnest(p_owner, p_id) with ordinality as w (owner, id, ord)
  left join lateral (select * from mailbox where owner = w.owner limit 1) m on true
  left join lateral (
    select * from log l where l.owner = w.owner and l.sender = w.owner and l.message_id = w.id limit 1
  ) old on true
$$;
alter function look_at_senders set enable_seqscan = off;
alter function look_at_senders set enable_hashjoin = off;
alter function look_at_senders set enable_mergejoin = off;
