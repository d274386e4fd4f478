-- The worker deletes what has run out without reading what has not. An unchanged `expire` keeps updates of a count in place.
create index limits_expire on limits (expire);
