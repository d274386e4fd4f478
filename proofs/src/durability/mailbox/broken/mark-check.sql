-- An ack that arrives late takes back what a later one said.
select sabotage('put_registers', $$when w.mark is not null and w.mark <= coalesce(old.mark, -1) then 'unchanged'$$, '');
