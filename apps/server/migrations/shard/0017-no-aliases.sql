-- The name a user gives a contact is encrypted account data; the server needs no column for it.
alter table contact drop column alias;
