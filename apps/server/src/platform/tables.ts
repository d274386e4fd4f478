/** The columns as TypeScript sees them. The migrations are the truth; a test compares the two. */
import type { ColumnType, Generated } from 'kysely';

export interface DirectoryTables {
  email: {
    address: string;
    account: string;
    state: 'half' | 'whole';
    verified_at: number | null;
    since: number;
  };
  username: { name: string; account: string | null; free_at: number | null };
  sign_up: {
    ticket_hash: Buffer;
    account: string;
    email: string;
    locale: string;
    setup: string;
    record: string | null;
    wrap: ColumnType<unknown, string | null, string | null>;
    code_hash: Buffer | null;
    code_at: number | null;
    code_tries: Generated<number>;
    verified_at: number | null;
    created_at: number;
    expires_at: number;
  };
  placement: { bucket: number; shard: number; version: Generated<number> };
  stats: { slot: number; users: Generated<number>; messages: Generated<number>; verified: Generated<number> };
}

export interface ShardTables {
  bucket_here: { bucket: number; frozen: Generated<boolean> };
  contact: { owner: string; peer: string; state: 'accepted' | 'blocked' };
  mailbox: {
    owner: string;
    epoch: Generated<number>;
    last_seq: Generated<number>;
    rev: Generated<number>;
    device_rev: Generated<number>;
    to_device: Generated<number>;
    acked_seq: Generated<number>;
    told_seq: Generated<number>;
    frozen: Generated<boolean>;
  };
  log: {
    owner: string;
    seq: number;
    sender: string;
    message_id: string;
    chat: string;
    at: number;
    peer_seq: number | null;
    to_device: number;
    erases_sender: string | null;
    erases_id: string | null;
    body: Buffer | null;
  };
  register: { owner: string; key: string; rev: number; mark: number | null; value: Buffer | null };
  owed: { owner: string; seq: number; target: string; since: number; body: Buffer | null };
  push_due: { owner: string; since: number };
  device: { owner: string; id: string; acked_seq: Generated<number>; created_at: number };
  session: {
    owner: string;
    id: string;
    device: string;
    secret_hash: Buffer;
    created_at: number;
    expires_at: number;
    client: Generated<string>;
    proven_at: Generated<number>;
  };
  opaque_record: {
    owner: string;
    state: 'current' | 'previous';
    record: string;
    setup: string;
    created_at: number;
    until: number | null;
  };
  key_wrap: {
    owner: string;
    id: string;
    method: 'password' | 'recovery' | 'passkey';
    state: 'current' | 'stale';
    params: string;
    blob: Buffer;
    created_at: number;
    until: number | null;
  };
  user_document: {
    owner: string;
    email: string | null;
    username: string;
    fcm_tokens: Generated<string[]>;
    public_key: string | null;
    verified_at: number | null;
    permissions: string[];
    created_at: number;
    updated_at: number;
  };
  presence: { owner: string; last_online: number };
}
