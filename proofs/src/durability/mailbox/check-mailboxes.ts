/** Compares the mailboxes with the ledger: no entry is lost, doubled, missing, misnumbered, reordered or altered. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Checks } from './checks.ts';
import type { Ledger, Message } from './ledger.ts';
import type { LogRow, MailboxState, State } from './state.ts';

export function checkMailboxes(ledger: Ledger, checks: Checks, state: State): void {
  checks.that('an account is on one shard', state.strays.length === 0, () => state.strays.join(', '));
  for (const [owner, mailbox] of state.mailboxes) {
    checks.that('a mailbox is not left frozen', !mailbox.isFrozen, () => owner);
    checkNumbers(checks, owner, mailbox);
    for (const row of mailbox.log) checkExplained(ledger, checks, row);
    checkErased(checks, mailbox);
    checkOrder(ledger, checks, mailbox);
  }
  const find = indexRows(state);
  for (const message of ledger.messages.values()) checkMessage(checks, message, find);
}

type Find = (owner: AccountId, message: Message) => LogRow | undefined;

function indexRows(state: State): Find {
  const rows = new Map<string, LogRow>();
  for (const mailbox of state.mailboxes.values()) {
    for (const row of mailbox.log) rows.set(`${row.owner}/${row.sender}/${row.id}`, row);
  }
  return (owner, message) => rows.get(`${owner}/${message.sender}/${message.id}`);
}

function checkNumbers(checks: Checks, owner: AccountId, { log, lastSeq }: MailboxState): void {
  const numbers = log.map((row) => row.seq);
  const isGapless = lastSeq === log.length && numbers.every((seq, index) => seq === index + 1);
  checks.that('no gap', isGapless, () => `${owner} counts to ${lastSeq} and has ${numbers.join(' ')}`);
  const identities = new Set(log.map((row) => `${row.sender}/${row.id}`));
  checks.that('no duplicate', identities.size === log.length, () => `${owner} has a message twice`);
}

function checkExplained(ledger: Ledger, checks: Checks, row: LogRow): void {
  const message = ledger.messages.get(`${row.sender}/${row.id}`);
  const isOurs = message !== undefined && (row.owner === message.sender || row.owner === message.recipient);
  const isAsked = message?.attempts.some(({ outcome }) => outcome === 'answered' || outcome === 'lost') ?? false;
  const isSame =
    row.chat === message?.chat &&
    row.erasesSender === (message.erases?.sender ?? null) &&
    row.erasesId === (message.erases?.id ?? null);
  checks.that('no entry without a send', isOurs && isAsked && isSame, () => {
    return `entry ${row.seq} of ${row.owner}: ${JSON.stringify(row)}`;
  });
}

/** The body of an entry is removed if and only if the same mailbox has an erasure entry for it (M5). */
function checkErased(checks: Checks, { log }: MailboxState): void {
  const erasures = log.filter((row) => row.erasesId !== null);
  const erasedAt = new Map(erasures.map((row) => [`${row.erasesSender}/${row.erasesId}`, row.seq]));
  for (const row of log) {
    if (row.erasesId !== null) continue;
    const at = erasedAt.get(`${row.sender}/${row.id}`);
    const where = `entry ${row.seq} of ${row.owner}, erased by entry ${at}`;
    if (row.body === null) checks.that('no entry is missing unless it was erased', at !== undefined, () => where);
    else checks.that('an erased entry is gone', at === undefined || at < row.seq, () => where);
  }
}

/** If one message was answered before another was first sent, every mailbox has it first. */
function checkOrder(ledger: Ledger, checks: Checks, { log }: MailboxState): void {
  let earliestAnswer = Infinity;
  for (const row of log.toReversed()) {
    const attempts = ledger.messages.get(`${row.sender}/${row.id}`)?.attempts ?? [];
    const offeredAt = Math.min(...attempts.map((attempt) => attempt.startedAt));
    checks.that('no reordering', offeredAt < earliestAnswer, () => {
      return `entry ${row.seq} of ${row.owner} was offered after a later one had been answered`;
    });
    earliestAnswer = Math.min(earliestAnswer, answeredAt(attempts));
  }
}

function answeredAt(attempts: Message['attempts']): number {
  return Math.min(...attempts.map((attempt) => (attempt.outcome === 'answered' ? attempt.endedAt : Infinity)));
}

function checkMessage(checks: Checks, message: Message, find: Find): void {
  const theirs = find(message.recipient, message);
  const own = find(message.sender, message);
  const name = `${message.id} from ${message.sender}`;
  for (const { answer } of message.attempts) {
    if (!answer) continue;
    checks.that('no loss', theirs !== undefined && own !== undefined, () => `${name} was answered and is gone`);
    const isNamed =
      answer.seq === own?.seq && answer.peerSeq === theirs?.seq && (answer.at === undefined || answer.at === own.at);
    checks.that('an answer names what is stored', isNamed, () => `${name}: ${JSON.stringify(answer)}`);
  }
  checks.that('no missing copy', (theirs === undefined) === (own === undefined), () => {
    return `${name} is only in the mailbox of the ${own ? 'sender' : 'recipient'}`;
  });
  if (!theirs || !own) return;
  checkBytes(checks, message, theirs, own);
  if (message.sender === message.recipient) return;
  const areSame = own.at === theirs.at && own.peerSeq === theirs.seq && theirs.peerSeq === null;
  checks.that('a copy has the time and number of its message', areSame, () => {
    return `${name}: time ${own.at} of ${theirs.at}, number ${own.peerSeq} of ${theirs.seq}`;
  });
}

function checkBytes(checks: Checks, message: Message, theirs: LogRow, own: LogRow): void {
  if (theirs.body !== null && own.body !== null) {
    checks.that('a copy has the bytes of its message', theirs.body === own.body, () => `${own.body} of ${theirs.body}`);
  }
  const firstAnswer = answeredAt(message.attempts);
  const offered = message.attempts.filter((attempt) => attempt.startedAt < firstAnswer).map((attempt) => attempt.body);
  for (const { body } of [theirs, own]) {
    if (body === null) continue;
    checks.that(
      'the bytes of the first send are stored',
      offered.includes(body),
      () => `${body} is none of ${offered.join(' ')}`,
    );
  }
}
