-- `stats.users` and `stats.verified` follow the tables of accounts in the transaction that changes them, so no way to sign
-- up, verify or leave can be forgotten. A user counts from the end of the sign-up to the removal, and as verified while
-- the address is.
create function add_to_people(slot smallint, users bigint, verified bigint) returns void language sql as $$
  insert into stats as s (slot, users, verified) values (add_to_people.slot, add_to_people.users, add_to_people.verified)
  on conflict on constraint stats_pkey
  do update set users = s.users + excluded.users, verified = s.verified + excluded.verified
$$;

-- One row per account, chosen by its id: sign-ups do not wait for each other.
create function people_slot(account uuid) returns smallint language sql immutable as $$
  select (get_byte(uuid_send(account), 15))::smallint
$$;

create function count_email() returns trigger language plpgsql as $$
declare
  was_user boolean := false;
  was_verified boolean := false;
  is_user boolean := false;
  is_verified boolean := false;
begin
  if tg_op <> 'INSERT' then
    was_user := old.state = 'whole';
    was_verified := was_user and old.verified_at is not null;
  end if;
  if tg_op <> 'DELETE' then
    is_user := new.state = 'whole';
    is_verified := is_user and new.verified_at is not null;
  end if;
  if was_user <> is_user or was_verified <> is_verified then
    perform add_to_people(
      people_slot(coalesce(new.account, old.account)),
      is_user::int - was_user::int,
      is_verified::int - was_verified::int
    );
  end if;
  return null;
end
$$;
create trigger email_counted after insert or delete or update on email
for each row execute function count_email();

create function count_service_user() returns trigger language plpgsql as $$
begin
  perform add_to_people(people_slot(coalesce(new.account, old.account)), case tg_op when 'INSERT' then 1 else -1 end, 0);
  return null;
end
$$;
create trigger service_user_counted after insert or delete on service_user
for each row execute function count_service_user();

create function count_service_email() returns trigger language plpgsql as $$
declare
  was_verified boolean := tg_op <> 'INSERT' and old.verified_at is not null;
  is_verified boolean := tg_op <> 'DELETE' and new.verified_at is not null;
begin
  if was_verified <> is_verified then
    perform add_to_people(
      people_slot(coalesce(new.account, old.account)), 0, is_verified::int - was_verified::int
    );
  end if;
  return null;
end
$$;
create trigger service_email_counted after insert or delete or update on service_email
for each row execute function count_service_email();

-- Compares the counters with the tables and corrects them; answers by how much they were off. The comparison is one
-- statement: its snapshot shows a change of an account together with its change of the counters, or neither.
create function recount_people(out users bigint, out verified bigint) language plpgsql as $$
begin
  -- Two at once would both add the same correction.
  perform pg_advisory_xact_lock(hashtext('recount_people'));
  select facts.users - known.users, facts.verified - known.verified into users, verified
  from (
    select
      (select count(*) from email where state = 'whole') + (select count(*) from service_user) as users,
      (select count(*) from email where state = 'whole' and verified_at is not null)
        + (select count(*) from service_email where verified_at is not null) as verified
  ) facts, (
    select coalesce(sum(s.users), 0)::bigint as users, coalesce(sum(s.verified), 0)::bigint as verified from stats s
  ) known;
  if users <> 0 or verified <> 0 then
    perform add_to_people(0::smallint, users, verified);
  end if;
end
$$;

select recount_people();
