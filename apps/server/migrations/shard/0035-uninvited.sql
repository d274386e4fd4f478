-- What somebody whom the owner has not accepted may leave in the owner's mailbox.

-- An erasure is a line of the log and wakes every device. Who is not accepted takes back what lies there, each message
-- once: else a stranger would fill anybody's log with erasures of nothing, and read from its numbers how busy they are.
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
