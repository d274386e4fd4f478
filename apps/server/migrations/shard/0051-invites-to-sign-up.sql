-- A sign-up has taken this use of the invite. The new account becomes a contact by it without taking another.
alter table invite_use add column is_reserved boolean not null default false;
