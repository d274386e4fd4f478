/**
 * Rows of other tables, shown as documents to their owner. Each view is a select with the columns of `document`, so that
 * every query means the same. Only `users` can be written, by its owner (`user-document.ts`).
 */
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller } from '../http.ts';
import type { Filter } from '../queries.ts';
import type { AttributeDefinition, CollectionDefinition } from '../../appwrite-definition.ts';

type ViewName = NonNullable<CollectionDefinition['view']>;

interface View {
  attributes: AttributeDefinition[];
  select: (owner: AccountId, filters: readonly Filter[]) => RawBuilder<unknown>;
}

/** A mailbox is long: only its newest messages, or those of the chats in the query. */
const MAX_MESSAGES = 5_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const rest = { required: false, array: false, size: 1_000_000 };

export const VIEWS: Record<ViewName, View> = {
  users: {
    attributes: [
      { ...rest, key: 'email', type: 'string' },
      { ...rest, key: 'username', type: 'string' },
      { ...rest, key: 'lastOnline', type: 'datetime' },
      { ...rest, key: 'FCMToken', type: 'string', array: true },
      { ...rest, key: 'publicKey', type: 'string' },
      { ...rest, key: 'isVerified', type: 'boolean' },
    ],
    select: (owner) => sql`
      select u.owner::text as id, 1 as sequence, u.permissions, u.created_at, u.updated_at, jsonb_build_object(
        'email', u.email, 'username', u.username, 'FCMToken', u.fcm_tokens, 'publicKey', u.public_key,
        'isVerified', u.verified_at is not null, 'lastOnline', ${writeTime(sql`p.last_online`)}) as data
      from user_document u left join presence p on p.owner = u.owner where u.owner = ${owner}`,
  },
  // The files of a message are named in its encrypted body, so `media` is empty.
  messages: {
    attributes: [
      { ...rest, key: 'chatId', type: 'string' },
      { ...rest, key: 'senderId', type: 'string' },
      { ...rest, key: 'receiverId', type: 'string' },
      { ...rest, key: 'text', type: 'string' },
      { ...rest, key: 'timestamp', type: 'datetime' },
      { ...rest, key: 'status', type: 'string' },
      { ...rest, key: 'media', type: 'string', array: true },
    ],
    select: (owner, filters) => sql`
      select m.message_id::text as id, m.seq as sequence, array['read("user:' || m.owner || '")'] as permissions,
        m.at as created_at, m.at as updated_at, jsonb_build_object(
          'chatId', m.chat, 'senderId', m.sender, 'receiverId', case when m.sender = m.owner then m.peer else m.owner end,
          'text', translate(encode(m.body, 'base64'), E'+/=\n', '-_'), 'timestamp', ${writeTime(sql`m.at`)},
          'status', case when seen.mark >= coalesce(m.peer_seq, m.seq) then 'read'
            when m.sender <> m.owner or got.mark >= m.peer_seq then 'delivered' else 'sent' end,
          'media', '[]'::jsonb) as data
      from (
        select l.*, ${peer} as peer from log l
        where l.owner = ${owner} and l.erases_id is null ${narrow(filters)} order by l.seq desc limit ${MAX_MESSAGES}
      ) m
      left join register seen on seen.owner = m.owner and seen.key = 'read/' || m.chat || '/' ||
        (case when m.sender = m.owner then m.peer else m.owner end)
      left join register got on got.owner = m.owner and got.key = 'delivered/' || m.chat || '/' || m.peer`,
  },
};

/** The view as a table, with the rows of the caller only. */
export function selectView(view: ViewName, caller: AppwriteCaller, filters: readonly Filter[]): RawBuilder<unknown> {
  if (caller.kind !== 'user') throw new AppwriteError('user_unauthorized');
  return sql`(${VIEWS[view].select(caller.account, filters)}) as shown`;
}

/** Documents contain times as text. */
function writeTime(ms: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(to_timestamp(${ms} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
}

/** A chat id is computed from two accounts (`directChat`), so the other one follows from the chat and the owner. */
const bits = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`('x' || replace(${id}::text, '-', ''))::bit(128)`;
const mixed = sql`(${bits(sql`l.chat`)} # ${bits(sql`l.owner`)} # ${bits(sql`'00000000-0000-8000-8000-000000000000'`)})`;
const peer = sql`(${sql.join(
  [1, 33, 65, 97].map((from) => sql`lpad(to_hex(substring(${mixed} from ${sql.lit(from)} for 32)::bigint), 8, '0')`),
  sql` || `,
)})::uuid`;

/** Adds the conditions that an index can answer. Malformed ids match nothing. */
function narrow(filters: readonly Filter[]): RawBuilder<unknown> {
  const asked = (['chatId', '$id'] as const).flatMap((attribute) => {
    const found = filters.find((filter) => filter.method === 'equal' && filter.attribute === attribute);
    const column = { chatId: sql`l.chat`, $id: sql`l.message_id` }[attribute];
    const values = found && 'values' in found ? found.values.map(String) : undefined;
    return values ? [sql` and ${column} = any (${values.filter((value) => UUID.test(value))}::uuid[])`] : [];
  });
  return asked.length === 0 ? sql`` : sql.join(asked, sql` `);
}
