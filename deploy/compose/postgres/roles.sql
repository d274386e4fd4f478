-- The two roles of the program with their passwords, which come in as psql variables. A second run changes nothing.
select 'create role dostar_owner login' where not exists (select from pg_roles where rolname = 'dostar_owner') \gexec
select 'create role dostar_server login' where not exists (select from pg_roles where rolname = 'dostar_server') \gexec
alter role dostar_owner password :'owner_password';
alter role dostar_server password :'server_password';
grant pg_monitor to dostar_server;
