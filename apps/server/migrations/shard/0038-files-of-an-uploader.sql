-- With an account go its files, in buckets that hold everybody's.
create index file_uploader on file (owner, uploader);
