import type { Generated } from 'kysely';

/** Of a shard: push targets, and accounts that are due a push. */
export interface PushTables {
  push_due: { owner: string; since: number };
  push_target: {
    owner: string;
    device: string;
    kind: 'web' | 'fcm';
    address: string;
    p256dh: string | null;
    auth: string | null;
    tag_key: string;
    locale: 'en' | 'kz' | 'ru';
    told_seq: number;
    failures: Generated<number>;
    refusals: Generated<number>;
    retry_at: Generated<number>;
    created_at: number;
    updated_at: number;
  };
}
