-- Browsers replace the dehydrated device by its age on the server's clock, once per account instead of once per browser.
-- Existing devices count as old: one browser of each account replaces them.
alter table dehydrated_device add column made_at bigint not null default 0;
