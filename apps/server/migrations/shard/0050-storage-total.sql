-- The bytes of all files that accounts of this shard are charged for. They follow `blob_held` in the transaction that
-- changes it, so no way to store, drop or move a file can be forgotten.
create table storage_total (
  -- The last byte of an account's id: uploads of different accounts rarely wait for each other. All accounts of a bucket
  -- have the same, so a statement of a move changes one row.
  slot smallint primary key,
  bytes bigint not null
) with (fillfactor = 50);

-- Once per statement: a move inserts many rows at once.
create function count_storage() returns trigger language plpgsql as $$
begin
  insert into storage_total as t (slot, bytes)
  select get_byte(uuid_send(owner), 15), sum(case tg_op when 'DELETE' then -charged else charged end)
  from changed where charged > 0 group by 1 order by 1
  on conflict (slot) do update set bytes = t.bytes + excluded.bytes;
  return null;
end
$$;
create trigger blob_held_added after insert on blob_held
referencing new table as changed for each statement execute function count_storage();
create trigger blob_held_removed after delete on blob_held
referencing old table as changed for each statement execute function count_storage();

create function recount_changed_storage() returns trigger language plpgsql as $$
begin
  insert into storage_total as t (slot, bytes)
  select slot, sum(charged) from (
    select get_byte(uuid_send(owner), 15) as slot, charged from after_change
    union all
    select get_byte(uuid_send(owner), 15), -charged from before_change
  ) changes group by slot having sum(charged) <> 0 order by slot
  on conflict (slot) do update set bytes = t.bytes + excluded.bytes;
  return null;
end
$$;
create trigger blob_held_changed after update on blob_held
referencing old table as before_change new table as after_change
for each statement execute function recount_changed_storage();

-- Compares the total with the charges and corrects it; answers by how much it was off. The comparison is one statement:
-- its snapshot shows a charge together with its change of the total, or neither.
create function recount_storage() returns bigint language plpgsql as $$
declare
  missing bigint;
begin
  -- Two at once would both add the same correction.
  perform pg_advisory_xact_lock(hashtext('recount_storage'));
  select facts.bytes - known.bytes into missing
  from (select coalesce(sum(charged), 0)::bigint as bytes from blob_held) facts,
    (select coalesce(sum(bytes), 0)::bigint as bytes from storage_total) known;
  if missing <> 0 then
    insert into storage_total as t (slot, bytes) values (0, missing)
    on conflict (slot) do update set bytes = t.bytes + excluded.bytes;
  end if;
  return missing;
end
$$;

select recount_storage();
