/**
 * Mailboxes with one safeguard left out. Each is a file of SQL run on the migrated shards; the same test must notice.
 *
 * Most variants delete a phrase from the real function. If the phrase is missing, the variant throws instead of running
 * the intact function.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

export const VARIANTS = {
  'gapless-lock': {
    what: 'numbers come from a plain sequence, without the lock on the mailbox row',
    shows: ['no gap', 'a cursor never skips', 'a stream never skips'],
  },
  'duplicate-check': {
    what: 'repeats are left to the index (UPDATE … FROM unnest, ON CONFLICT DO NOTHING)',
    shows: ['no gap'],
  },
  'sender-in-identity': {
    what: 'a message is known by its id alone, whoever sent it',
    shows: ['no loss', 'no missing copy'],
  },
  'frozen-check': {
    what: 'a shard still accepts messages for a bucket that is being moved away',
    shows: ['no loss'],
  },
  'stored-bytes': {
    what: "the sender's copy is made from the bytes that were offered",
    shows: ['a copy has the bytes of its message'],
  },
  'owed-row': {
    what: 'the missing copy of the sender is not recorded',
    shows: ['no missing copy'],
  },
  'lock-order': {
    what: 'mailbox rows are locked in any order',
    shows: ['no deadlock'],
  },
  'mark-check': {
    what: 'a register takes a lower mark',
    shows: ['a mark never goes back', 'a mark is the highest'],
  },
} satisfies Record<string, BrokenMailbox>;

interface BrokenMailbox {
  what: string;
  /** One of these checks must fail: a failure for another reason does not count. */
  shows: string[];
}

export type Variant = keyof typeof VARIANTS;

export const VARIANT_NAMES = Object.keys(VARIANTS) as Variant[];

const PRELUDE = `
create or replace function sabotage(function_name text, phrase text, replacement text) returns void
language plpgsql as $$
declare
  definition text := pg_get_functiondef(function_name::regproc);
begin
  if position(phrase in definition) = 0 then
    raise exception '% does not contain: %', function_name, phrase;
  end if;
  execute replace(definition, phrase, replacement);
end
$$;`;

export async function breakShards(urls: string[], variant: Variant): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'broken', `${variant}.sql`), 'utf8');
  for (const url of urls) {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(PRELUDE);
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}
