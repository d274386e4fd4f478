-- A document is deleted together with the account that created it. Null if an API key or a guest created it.
alter table document add column creator uuid;
create index document_creator on document (owner, creator) where creator is not null;

-- The removal of an account looks for documents and files whose permissions name it.
create index document_permissions on document using gin (permissions);
create index file_permissions on file using gin (permissions);

-- Only ids of the product's accounts are UUIDs. Blocks accounts that chose one before sign-ups refused it.
update service_account set is_blocked = true
where id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
