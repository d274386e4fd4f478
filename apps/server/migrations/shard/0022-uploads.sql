-- The store's own word for an upload under way: parts that arrive in any order name it.
alter table blob add column upload text not null default '';
