-- Accounts of the operator's assistant: all answer to one name, and each person always meets the same one.
create table assistant (
  seat integer primary key,
  account uuid not null unique,
  since bigint not null
);

-- No account may take its name: the name belongs to no single account and never becomes free.
insert into username (name, account, free_at) values ('amadeus', null, 9007199254740991)
on conflict (name) do nothing;
