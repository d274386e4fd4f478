-- Two batches that lock the same mailboxes in opposite order deadlock. The pause between two locks
-- only makes the meeting likelier.
select sabotage('append', $$perform 1 from mailbox m where m.owner = any (p_owner) order by m.owner for no key update;$$,
  $$perform pg_sleep(0.003) from (
    select 1 from mailbox m where m.owner = any (p_owner) order by random() for no key update
  ) locked;$$);
