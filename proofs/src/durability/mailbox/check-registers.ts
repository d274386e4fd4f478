/**
 * Compares registers with the ledger: marks never go back, no change is lost, receipts follow the acks (G1, G2, R5).
 */
import { deliveredKey } from '@dostar/protocol/mailbox';
import type { AccountId } from '@dostar/protocol/ids';
import type { Checks } from './checks.ts';
import { possible } from './ledger.ts';
import type { Ledger, Write } from './ledger.ts';
import type { PagingDevice } from './paging-device.ts';
import type { MailboxState, State } from './state.ts';

export function checkRegisters(ledger: Ledger, checks: Checks, state: State, devices: PagingDevice[]): void {
  for (const [owner, mailbox] of state.mailboxes) {
    const revs = mailbox.registerRows.map((row) => row.rev);
    const areDistinct = new Set(revs).size === revs.length && revs.every((rev) => rev <= mailbox.rev);
    checks.that(
      'every change has its own revision',
      areDistinct,
      () => `${owner}: ${revs.join(' ')} of ${mailbox.rev}`,
    );
    checkReceipts(ledger, checks, state, owner);
  }
  for (const [name, writes] of ledger.registers) checkWrites(checks, state, name, writes);
  for (const device of devices) {
    const stored = state.mailboxes.get(device.account)?.registers;
    checks.that('changes add up to the registers', device.registers.describe() === stored, () => {
      return `a device has ${device.registers.describe()} of ${stored}`;
    });
  }
}

function checkWrites(checks: Checks, state: State, name: string, writes: Write<number>[]): void {
  const [owner, ...rest] = name.split('/');
  const key = rest.join('/');
  const found = findRegister(state.mailboxes.get(owner as AccountId), key);
  const done = writes.filter((write) => write.endedAt !== Infinity);
  if (done.length > 0) checks.that('a register is there', found !== undefined, () => `${name} is missing`);
  if (!found) return;
  if (key.startsWith('mark/')) {
    const highest = Math.max(-1, ...done.map((write) => write.value));
    const isAsked = writes.some((write) => write.value === found.mark);
    checks.that(
      'a mark is the highest',
      isAsked && found.mark! >= highest,
      () => `${name} is ${found.mark} of ${highest}`,
    );
  } else {
    const values = possible(writes, Infinity);
    checks.that('a value is the last', values.includes(found.value![0]!), () => {
      return `${name} is ${found.value![0]}, not one of ${values.join(' ')}`;
    });
  }
}

/**
 * The sender's register says how far the recipient's devices have stored entries, in the recipient's numbers. Only a
 * sender whom the recipient has accepted gets it: it would tell others that the recipient is online.
 */
function checkReceipts(ledger: Ledger, checks: Checks, state: State, owner: AccountId): void {
  const mailbox = state.mailboxes.get(owner)!;
  const acked = ledger.acked.get(owner) ?? 0;
  checks.that(
    'acknowledgements are stored',
    mailbox.ackedSeq === acked,
    () => `${owner}: ${mailbox.ackedSeq} of ${acked}`,
  );
  const delivered = new Map<string, number>();
  for (const { sender, chat, seq } of mailbox.log) {
    if (sender !== owner && seq <= acked) delivered.set(`${sender} ${deliveredKey(chat, owner)}`, seq);
  }
  for (const [where, seq] of delivered) {
    const [sender, key] = where.split(' ');
    const mark = findRegister(state.mailboxes.get(sender as AccountId), key!)?.mark ?? undefined;
    const states = ledger.contactStates(owner, sender as AccountId, 0, Infinity);
    const says = (): string => `${sender} knows of ${mark}, ${owner} has stored ${seq}`;
    if (!states.has('accepted')) checks.that('a stranger gets no receipt', mark === undefined, says);
    else if (states.size === 1) checks.that('receipts follow acknowledgements', mark === seq, says);
    else checks.that('no receipt is ahead of its acknowledgement', mark === undefined || mark <= seq, says);
  }
}

function findRegister(mailbox: MailboxState | undefined, key: string) {
  return mailbox?.registerRows.find((row) => row.key === key);
}
