-- Refusals in a row, not counting postponed pushes in between. `failures` counts both, for the wait before the next try.
alter table push_target add column refusals integer not null default 0;
