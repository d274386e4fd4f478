-- A process that dies between the two shards takes the sender's copy with it.
select sabotage('append', $$from placed where is_new and owed is not null$$, $$from placed where false$$);
