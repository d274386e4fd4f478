-- What somebody calls a contact is account data, under the seal; the server has no need of a place for it.
alter table contact drop column alias;
