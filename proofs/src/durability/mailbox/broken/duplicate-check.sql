-- The naive append: count up, insert, and leave repeats to ON CONFLICT DO NOTHING. A repeat burns the number it was given,
-- and mailboxes are locked in the order in which entries happen to come. It decides only `moved`,
-- `blocked` and `request_pending`.
create or replace function append(
  p_unit integer[], p_owner uuid[], p_sender uuid[], p_id uuid[], p_chat uuid[], p_at bigint[], p_body bytea[],
  p_rings boolean[], p_device_rev integer[], p_peer_seq bigint[], p_owed uuid[], p_erases_sender uuid[], p_erases_id uuid[],
  p_settled_owner uuid[], p_settled_seq bigint[]
) returns table (ord integer, verdict text, seq bigint, at bigint, epoch integer, peer_seq bigint, to_device bigint, differs boolean, stored bytea)
language plpgsql as $$
#variable_conflict use_column
declare
  answers jsonb;
begin
  with entry as materialized (
    select e.*,
      case
        when m.owner is null then 'unknown'
        when m.frozen then 'moved'
        when old.seq is not null or e.sender = e.owner or c.state = 'accepted' then 'new'
        when c.state = 'blocked' then 'blocked'
        when e.erases_id is not null then 'new'
        when exists (select from log l where l.owner = e.owner and l.sender = e.sender) then 'request_pending'
        when row_number() over (partition by e.owner, e.sender order by e.ord) > 1 then 'request_pending'
        else 'new'
      end as verdict
    from unnest(p_unit, p_owner, p_sender, p_id, p_chat, p_at, p_body, p_rings, p_device_rev, p_peer_seq, p_owed, p_erases_sender, p_erases_id)
      with ordinality as e (unit, owner, sender, id, chat, at, body, rings, device_rev, peer_seq, owed, erases_sender, erases_id, ord)
    left join mailbox m on m.owner = e.owner
    left join log old on old.owner = e.owner and old.sender = e.sender and old.message_id = e.id
    left join contact c on c.owner = e.owner and c.peer = e.sender
  ), wanted as materialized (
    select entry.*, not bool_or(verdict <> 'new') over (partition by unit) as is_wanted from entry
  ), counted as (
    update mailbox m set last_seq = m.last_seq + w.entries
    from (select owner, count(*) as entries from wanted where is_wanted group by owner) w
    where m.owner = w.owner and not m.frozen
    returning m.owner, m.last_seq - w.entries as base, m.to_device
  ), numbered as materialized (
    select w.*, c.to_device, c.base + row_number() over (partition by w.owner order by w.ord) as seq
    from wanted w join counted c on c.owner = w.owner
    where w.is_wanted
  ), paired as materialized (
    select numbered.*,
      case when row_number() over unit > 1 then first_value(seq) over unit else peer_seq end as final_peer_seq
    from numbered window unit as (partition by unit order by ord)
  ), inserted as (
    insert into log (owner, seq, sender, message_id, chat, at, peer_seq, to_device, erases_sender, erases_id, body)
    select owner, seq, sender, id, chat, at, final_peer_seq, to_device, erases_sender, erases_id, body from paired
    on conflict do nothing
    returning owner, seq
  ), indebted as (
    insert into owed (owner, seq, target, since)
    select p.owner, p.seq, p.owed, p.at from paired p join inserted i on i.owner = p.owner and i.seq = p.seq
    where p.owed is not null
  ), settled as (
    delete from owed o using unnest(p_settled_owner, p_settled_seq) as s (owner, seq)
    where o.owner = s.owner and o.seq = s.seq
  )
  select jsonb_object_agg(w.ord, case
      when w.verdict <> 'new' then w.verdict
      when i.seq is not null then 'new'
      when p.seq is not null then 'duplicate'
      when w.is_wanted then 'moved'
      else 'withheld'
    end)
  into answers
  from wanted w
  left join paired p on p.ord = w.ord
  left join inserted i on i.owner = p.owner and i.seq = p.seq;

  update log l set body = null
  from unnest(p_owner, p_erases_sender, p_erases_id) as e (owner, sender, id)
  where l.owner = e.owner and l.sender = e.sender and l.message_id = e.id;

  return query
  select e.ord::integer, answers ->> e.ord::text, l.seq, l.at, m.epoch, l.peer_seq, l.to_device,
    l.body is distinct from e.body, l.body
  from unnest(p_owner, p_sender, p_id, p_body) with ordinality as e (owner, sender, id, body, ord)
  left join mailbox m on m.owner = e.owner
  left join log l on l.owner = e.owner and l.sender = e.sender and l.message_id = e.id;
end
$$;
