-- A sequence per mailbox instead of the lock: a number taken later may become visible earlier, and a reader passes by.
create function make_sequence() returns trigger language plpgsql as $$
begin
  execute format('create sequence if not exists %I', 'number_' || new.owner);
  perform setval(format('%I', 'number_' || new.owner), new.last_seq + 1, false);
  return new;
end
$$;
create trigger make_sequence after insert on mailbox for each row execute function make_sequence();

select sabotage('append', $$perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;$$, '');
select sabotage('append', $$last_seq + row_number() over (partition by owner, is_new order by ord)$$,
  $$nextval(format('%I', 'number_' || owner))$$);
select sabotage('append', $$from placed where is_new
  ), advanced$$, $$from placed where is_new on conflict do nothing
  ), advanced$$);
select sabotage('append', $$set last_seq = top.seq$$, $$set last_seq = greatest(m.last_seq, top.seq)$$);
