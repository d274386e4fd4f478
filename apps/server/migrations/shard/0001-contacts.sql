-- Who may write to `owner`. No row: a stranger, whose first message is a request.
create table contact (
  owner uuid not null,
  peer uuid not null,
  state text not null check (state in ('accepted', 'blocked')),
  primary key (owner, peer)
);
