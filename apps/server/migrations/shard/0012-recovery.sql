-- `archived`: put away by a fresh start; an owner who did not want it brings it back within a month.
alter table key_wrap drop constraint key_wrap_state_check;
alter table key_wrap add constraint key_wrap_state_check check (state in ('current', 'stale', 'archived'));
create unique index key_wrap_one_recovery on key_wrap (owner, method) where method = 'recovery' and state = 'current';
create index key_wrap_until on key_wrap (until) where until is not null;
create index opaque_record_until on opaque_record (until) where until is not null;

-- The last reset by mail, for the devices that were there before it.
create table recovery (
  owner uuid primary key,
  reset_at bigint not null,
  -- "It was not me": no email resets the password before this time.
  closed_until bigint
);

-- The account key on its way from one device to another; see the contract for the order of the fields.
create table hand_over (
  owner uuid not null,
  id uuid not null,
  asker uuid not null,
  client text not null,
  state text not null check (state in ('asked', 'answered', 'revealed', 'sealed', 'refused')),
  commitment text not null,
  asker_key text,
  giver uuid,
  giver_key text,
  sealed text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (owner, id)
);
create index hand_over_expires on hand_over (expires_at);

-- Up to when the news of the account have been put away on this device.
alter table session add column noticed_at bigint not null default 0;
-- The language of emails.
alter table user_document add column locale text not null default 'en';
