/** The columns as TypeScript sees them. The migrations are the truth; a test compares the two. */
import type { Generated } from 'kysely';

export interface DirectoryTables {
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
  };
  presence: { owner: string; last_online: number };
}
