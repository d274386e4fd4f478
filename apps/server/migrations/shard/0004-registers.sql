-- Overwrites registers, many at once. A register with a mark never takes a lower or equal one; a write that changes
-- nothing takes no revision. Of repeats inside a call the last counts, for marks the highest.

create function put_registers(p_owner uuid[], p_key text[], p_mark bigint[], p_value bytea[])
returns table (ord integer, verdict text, rev bigint, epoch integer)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;

  return query
  with wish as materialized (
    select w.*, m.rev as mailbox_rev, m.epoch,
      case
        when m.owner is null then 'unknown'
        when m.frozen then 'moved'
        when row_number() over (partition by w.owner, w.key order by w.mark desc nulls last, w.ord desc) > 1 then 'unchanged'
        when old.owner is null then 'changed'
        when w.mark is not null and w.mark <= coalesce(old.mark, -1) then 'unchanged'
        when w.mark is null and w.value is not distinct from old.value then 'unchanged'
        else 'changed'
      end as verdict
    from unnest(p_owner, p_key, p_mark, p_value) with ordinality as w (owner, key, mark, value, ord)
    left join lateral (select * from mailbox where owner = w.owner limit 1) m on true
    left join lateral (select * from register where owner = w.owner and key = w.key limit 1) old on true
  ), numbered as materialized (
    select wish.*,
      case when verdict = 'changed' then mailbox_rev + row_number() over (partition by owner, verdict order by ord) end as next_rev
    from wish
  ), written as (
    insert into register (owner, key, rev, mark, value)
    select owner, key, next_rev, mark, value from numbered where verdict = 'changed'
    on conflict (owner, key) do update set rev = excluded.rev, mark = excluded.mark, value = excluded.value
  ), advanced as (
    update mailbox m set rev = top.rev
    from (select owner, max(next_rev) as rev from numbered where verdict = 'changed' group by owner) top
    where m.owner = top.owner
  )
  select n.ord::integer, n.verdict, n.next_rev, n.epoch from numbered n;
end
$$;
-- As for append: no plan but the look-ups by key, whatever the statistics say.
alter function put_registers set enable_seqscan = off;
alter function put_registers set enable_hashjoin = off;
alter function put_registers set enable_mergejoin = off;
alter function put_registers set plan_cache_mode = force_generic_plan;
