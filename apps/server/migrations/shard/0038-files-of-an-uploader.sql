-- Deleting an account deletes its files in shared buckets.
create index file_uploader on file (owner, uploader);
