-- A repeat with other bytes gives the two sides two messages.
select sabotage('append', $$case when lead_old_seq is null then body else lead_old_body end as final_body$$, $$body as final_body$$);
select sabotage('append', $$p.stored_body is distinct from p.body,$$, $$false,$$);
