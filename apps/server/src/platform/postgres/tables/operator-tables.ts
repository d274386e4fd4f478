import type { Generated } from 'kysely';

/** Of the directory: what operators did. */
export interface AuditTables {
  deed: {
    id: Generated<number>;
    at: number;
    operator: string;
    words: string;
    subject: string | null;
    outcome: 'begun' | 'done' | 'failed';
  };
}

/** Of the directory: who may use the operator's console. */
export interface ConsoleTables {
  console_link: { secret_hash: Buffer; operator: string; expires_at: number };
  console_session: { token_hash: Buffer; operator: string; seen_at: number; expires_at: number };
}

/** Of a shard: what waits for an operator, and what one decided. */
export interface OperatorTables {
  report: {
    owner: string;
    id: string;
    subject: string;
    reason: string;
    note: string | null;
    at: number;
    closed_at: number | null;
  };
  disabled: { owner: string; since: number };
}
