-- A shard that does not know it is giving a bucket away: what it takes after the copy is lost with it.
select sabotage('append', $$when m.frozen then 'moved'$$, '');
