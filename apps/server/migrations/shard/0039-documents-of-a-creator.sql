-- With an account go its documents, in collections that hold everybody's. Null for what a key or a guest made.
alter table document add column creator uuid;
create index document_creator on document (owner, creator) where creator is not null;

-- Things that the operator's programs gave to somebody are looked for when that account goes.
create index document_permissions on document using gin (permissions);
create index file_permissions on file using gin (permissions);

-- Ids of this shape are those of the product's accounts. Whoever chose one before that was refused is let in no more.
update service_account set is_blocked = true
where id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
