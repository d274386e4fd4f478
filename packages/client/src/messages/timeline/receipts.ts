/**
 * When the other side received and read messages. A register has no time, so this device stores the time at which it
 * learned of the change; changes that arrive in a catch-up get none.
 */
import type { Target } from '@dostar/protocol/content/kinds';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { deliveredKey, readKey, type Register } from '@dostar/protocol/mailbox';
import type { Db } from '../../storage/open.ts';
import type { ReceiptRow } from '../../storage/rows.ts';

export interface Receipts {
  deliveredAt?: number;
  readAt?: number;
}

/** Only the newest receipts of a chat are kept. */
const MAX_KEPT = 500;

/** Call it in the transaction that stores the registers, before they are stored. */
export async function noteReceipts(db: Db, account: AccountId, registers: Register[], now: number): Promise<void> {
  for (const register of registers) {
    const receiptKey = receiptKeyOf(register.key, account);
    if (receiptKey === undefined || register.mark === undefined) continue;
    const from = (await db.registers.get(register.key))?.mark ?? 0;
    if (register.mark <= from) continue;
    await db.receipts.put({ ...receiptKey, upTo: register.mark, from, at: now });
    await dropOld(db, receiptKey);
  }
}

export async function findReceipts(db: Db, { sender, id }: Target): Promise<Receipts> {
  const row = await db.messages.get([sender, id]);
  if (row?.peerSeq === undefined) return {};
  const { chat, peerSeq } = row;
  const deliveredAt = await findAt(db, { chat, kind: 'delivered' }, peerSeq);
  const readAt = await findAt(db, { chat, kind: 'read' }, peerSeq);
  return { ...(deliveredAt !== undefined && { deliveredAt }), ...(readAt !== undefined && { readAt }) };
}

type ReceiptKey = Pick<ReceiptRow, 'chat' | 'kind'>;

function receiptsOf(db: Db, { chat, kind }: ReceiptKey, from = 0) {
  return db.receipts.where('[chat+kind+upTo]').between([chat, kind, from], [chat, kind, Infinity]);
}

/** The first stored receipt at or above this number, unless the change arrived while this device was offline. */
async function findAt(db: Db, receiptKey: ReceiptKey, number: number): Promise<number | undefined> {
  const passing = await receiptsOf(db, receiptKey, number).first();
  return passing !== undefined && passing.from < number ? passing.at : undefined;
}

async function dropOld(db: Db, receiptKey: ReceiptKey): Promise<void> {
  const tooMany = (await receiptsOf(db, receiptKey).count()) - MAX_KEPT;
  if (tooMany > 0) await receiptsOf(db, receiptKey).limit(tooMany).delete();
}

function receiptKeyOf(key: string, account: AccountId): ReceiptKey | undefined {
  const [, chat, reader] = key.split('/') as [string, ChatId?, AccountId?];
  if (chat === undefined || reader === undefined || reader === account) return undefined;
  if (key === deliveredKey(chat, reader)) return { chat, kind: 'delivered' };
  return key === readKey(chat, reader) ? { chat, kind: 'read' } : undefined;
}
