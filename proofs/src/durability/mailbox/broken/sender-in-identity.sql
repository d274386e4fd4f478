-- An attacker who guesses or learns the id of a message can keep the sender's own copy from being stored.
drop index log_identity;
create unique index log_identity on log (owner, message_id);
select sabotage('append', $$old.sender = e.sender and $$, '');
