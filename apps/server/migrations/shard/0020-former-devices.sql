-- Signed keys of devices that are gone. A key that one of them sent may still wait somewhere, and whoever finds it then
-- wants to know whose it was. Nothing is sealed for them.
create table former_device (
  owner uuid not null,
  device text not null,
  keys text not null,
  gone_at bigint not null,
  primary key (owner, device)
);
