-- Signed keys of deleted devices. A room key that one of them sent may still be waiting, and its recipient needs to
-- know who sent it. No client encrypts for these devices.
create table former_device (
  owner uuid not null,
  device text not null,
  keys text not null,
  gone_at bigint not null,
  primary key (owner, device)
);
