-- `owner`'s side of an acquaintance. Each side decides for itself and tells the other in statements, numbered by `turn`;
-- what it was told is `peer_accepts`, and `peer_turn` keeps an old statement from overtaking a newer one.
alter table contact drop constraint contact_state_check;
alter table contact
  add constraint contact_state_check check (state in ('none', 'asked', 'accepted', 'declined', 'blocked')),
  -- What unblocking returns to.
  add column before_block text not null default 'none' check (before_block in ('none', 'asked', 'accepted', 'declined')),
  add column peer_accepts boolean not null default false,
  add column turn bigint not null default 0,
  add column peer_turn bigint not null default 0,
  -- The newest acts carried out: a repeat that comes late must not undo what was decided since.
  add column acts uuid[] not null default '{}',
  -- Encrypted by the client: the names that a user gives contacts are private.
  add column alias bytea,
  add column muted_until bigint not null default 0,
  add column receipts boolean not null default true,
  add column typing boolean not null default true,
  add column archived boolean not null default false,
  add column pinned boolean not null default false,
  add column since bigint not null default 0;

-- The newest statement that `peer` has not been told yet. Written with the decision, deleted once the other side has it.
create table contact_owed (
  owner uuid not null,
  peer uuid not null,
  turn bigint not null,
  accepts boolean not null,
  -- `peer` used an invite of `owner`, and so agreed beforehand.
  invited boolean not null,
  since bigint not null,
  primary key (owner, peer)
);
create index contact_owed_since on contact_owed (since);

-- What an account shows to whom. No row: the defaults.
create table privacy (
  owner uuid primary key,
  last_seen text not null default 'contacts' check (last_seen in ('everybody', 'contacts', 'nobody')),
  writers text not null default 'everybody' check (writers in ('everybody', 'contacts'))
);

-- Unread counts the messages with a notification.
alter table log add column rings boolean not null default false;

-- Changes a phrase of a function and leaves the rest as it is; a phrase that is not there is an error.
create function patch_function(function_name text, phrase text, replacement text) returns void
language plpgsql as $$
declare
  definition text := pg_get_functiondef(function_name::regproc);
begin
  if position(phrase in definition) = 0 then
    raise exception '% does not contain: %', function_name, phrase;
  end if;
  execute replace(definition, phrase, replacement);
end
$$;

select patch_function('append',
  $$to_device, erases_sender, erases_id, body)$$,
  $$to_device, erases_sender, erases_id, body, rings)$$);
select patch_function('append',
  $$to_device, erases_sender, erases_id, final_body$$,
  $$to_device, erases_sender, erases_id, final_body, coalesce(rings, false)$$);
-- A declined sender, or one whose recipient accepts contacts only, sees the same as one whose request is pending.
select patch_function('append',
  $$when exists (select from log l where$$,
  $$when c.state = 'declined' then 'request_pending'
        when c.state is distinct from 'asked'
          and exists (select from privacy p where p.owner = e.owner and p.writers = 'contacts') then 'request_pending'
        when exists (select from log l where$$);
