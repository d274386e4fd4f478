import type { AccountId, DeviceId } from '@dostar/protocol/ids';

export interface Session {
  account: AccountId;
  device: DeviceId;
  session: string;
  /** When the person last re-authenticated, or signed in. */
  provenAt: number;
  /** Waits for a second factor and may do nothing else (SPEC H6). */
  isPending: boolean;
  /** Of the token that the caller sent: a re-authentication counts only for the token issued with it. */
  tokenHash: Buffer;
}

/** Minimal caller identity. */
export type Caller = Pick<Session, 'account' | 'session'>;
