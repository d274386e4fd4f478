-- Rights of the two roles in one database: the owner changes the schema (`admin migrate`), the server changes rows only.
-- As a superuser, in each database of an installation; a second run changes nothing:
--
--   psql -X -v ON_ERROR_STOP=1 -v owner=OWNER -v server=SERVER -d DATABASE -f grants.sql
--
-- It also takes over what an earlier version of the installer left to the server's role. The server may run meanwhile.
begin;
alter schema public owner to :"owner";
select format('alter database %I owner to %I', current_database(), :'owner') \gexec
-- Sequences of a column follow their table.
select format('alter %s %s owner to %I', case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, c.oid::regclass, :'owner')
from pg_class c
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and pg_get_userbyid(relowner) <> :'owner'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
\gexec
select format('alter routine %s owner to %I', p.oid::regprocedure, :'owner')
from pg_proc p
where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) <> :'owner'
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
\gexec

revoke create on schema public from public, :"server";
grant usage on schema public to :"server";
grant select, insert, update, delete on all tables in schema public to :"server";
grant usage on all sequences in schema public to :"server";
grant execute on all routines in schema public to :"server";
-- What later migrations make.
alter default privileges for role :"owner" in schema public grant select, insert, update, delete on tables to :"server";
alter default privileges for role :"owner" in schema public grant usage on sequences to :"server";
alter default privileges for role :"owner" in schema public grant execute on routines to :"server";
commit;
