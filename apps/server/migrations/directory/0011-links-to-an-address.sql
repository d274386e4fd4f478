-- Of a link to the old address in a change: the new one, which is all that it says yes to.
alter table mail_link add column new_address text;
