/** The 16 bytes of an account id, in tokens and user handles. */
import { AccountId } from '@dostar/protocol/ids';

export const ACCOUNT_BYTES = 16;

export function toAccountBytes(account: AccountId): Buffer<ArrayBuffer> {
  return Buffer.from(account.replaceAll('-', ''), 'hex');
}

/** Undefined for bytes that are not those of an account id. */
export function fromAccountBytes(bytes: Uint8Array): AccountId | undefined {
  const hex = Buffer.from(bytes).toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return AccountId.safeParse(id).data;
}
