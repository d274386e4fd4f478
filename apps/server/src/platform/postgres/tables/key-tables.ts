import type { Generated } from 'kysely';

/** Of a shard: keys of devices and accounts, their backup, and the queues of to-device messages. */
export interface KeyTables {
  device_key: { owner: string; device: string; keys: string };
  former_device: { owner: string; device: string; keys: string; gone_at: number };
  dehydrated_device: { owner: string; device: string; data: string; made_at: number };
  one_time_key: {
    owner: string;
    device: string;
    algorithm: string;
    name: string;
    seq: number;
    key: string;
    claimed_at: number | null;
  };
  fallback_key: {
    owner: string;
    device: string;
    algorithm: string;
    name: string;
    key: string;
    used: Generated<boolean>;
  };
  identity_key: {
    owner: string;
    usage: 'master' | 'self_signing' | 'user_signing';
    key: string;
    created_at: number | null;
  };
  identity_archive: {
    owner: string;
    usage: 'master' | 'self_signing' | 'user_signing';
    key: string;
    until: number;
  };
  dehydrated_archive: { owner: string; device: string; data: string; keys: string; until: number };
  person_signature: { owner: string; target: string; target_key: string; signer_key: string; signature: string };
  device_list_change: { owner: string; account: string; seq: number; kind: 'changed' | 'left' };
  device_list_owed: { owner: string; rev: number; since: number };
  to_device: { owner: string; device: string; seq: number; sender: string; event: string };
  to_device_txn: { owner: string; sender: string; device: string; txn: string; at: number };
  backup_version: {
    owner: string;
    version: number;
    algorithm: string;
    auth_data: string;
    etag: Generated<number>;
    count: Generated<number>;
    deleted: Generated<boolean>;
    until: number | null;
    retired: Generated<boolean>;
    created_at: Generated<number | null>;
  };
  backup_key_replaced: {
    owner: string;
    version: number;
    room: string;
    session: string;
    n: number;
    entry: string;
    until: number;
  };
  backup_key: {
    owner: string;
    version: number;
    room: string;
    session: string;
    first_index: number;
    forwarded: number;
    verified: boolean;
    entry: string;
  };
}
