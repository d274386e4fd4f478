-- Lets the worker delete expired counters without reading the others. An update that keeps `expire` is still a HOT update.
create index limits_expire on limits (expire);
