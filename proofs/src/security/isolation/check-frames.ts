/** Who may open a socket, and what its frames can do to others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeSessions } from '@dostar/protocol/contract/sessions';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { ClientFrame } from '@dostar/protocol/realtime';
import { ORIGIN } from '../../harness/lib/servers.ts';
import { callWith } from './call.ts';
import type { Credentials } from './call.ts';
import type { AttackAccounts } from './cases.ts';
import type { NamedFrame } from './contract.ts';
import { makeExample } from './example.ts';
import type { Fixture } from './fixture.ts';
import { ProofSocket } from './socket.ts';

/** Limit of SPEC H4. */
const ENDS_WITHIN_MS = 1_000;
const QUIET_MS = 300;

export async function checkHandshakes({ gateway, checks, attackAccounts }: Fixture): Promise<void> {
  const { alice, expiredToken, endedToken, pendingToken } = attackAccounts;
  const ours = { origin: ORIGIN };
  const refused: [string, Credentials, number][] = [
    ['anonymous', ours, 401],
    ['made-up', { ...ours, token: Buffer.alloc(48, 7).toString('base64url') }, 401],
    ['expired', { ...ours, token: expiredToken }, 401],
    ['ended', { ...ours, token: endedToken }, 401],
    ['factor owed', { ...ours, token: pendingToken }, 403],
    ['other origin', { token: alice.token, origin: 'https://elsewhere.example' }, 403],
    ['no origin', { token: alice.token }, 403],
  ];
  for (const [name, credentials, expected] of refused) {
    const status = await attemptHandshake(gateway.url, credentials);
    checks.note('/realtime', name, status);
    checks.that(`refused: ${name}`, status === expected, () => `/realtime answers ${status}, not ${expected}`);
  }
  // A sabotaged server may have ended her session for another caller: that is reported, not a crash of the proof.
  const status = await attemptHandshake(gateway.url, { ...ours, token: alice.token });
  checks.note('/realtime', 'rightful', status);
  checks.that('the rightful caller is accepted', status === 101, () => `/realtime answers ${status}`);
}

/** Returns 101 or the status of the refusal. */
async function attemptHandshake(url: string, credentials: Credentials): Promise<number> {
  const answer = await ProofSocket.open(url, credentials);
  if (typeof answer === 'number') return answer;
  answer[Symbol.dispose]();
  return 101;
}

/** `null` uses the example of the schema. An account in it is Alice, who has not accepted Mallory. */
function frameFor({ name, schema }: NamedFrame, { alice }: AttackAccounts): unknown {
  const fills: Partial<Record<ClientFrame['t'], object>> = {
    resume: { v: REALTIME_VERSION, cursor: null },
    ack: { seq: 0 },
    ack_to_device: { token: '1.0' },
    typing: { to: alice.account },
    watch: { accounts: [alice.account] },
  };
  return { ...(makeExample(schema, name) as object), ...fills[name] };
}

export async function checkFrames(fixture: Fixture, frames: NamedFrame[]): Promise<void> {
  for (const frame of frames) {
    await checkTooEarly(fixture, frame);
    await checkOthers(fixture, frame);
    await checkEnded(fixture, frame);
  }
}

/** Frames before `resume` end the socket (SPEC R1). */
async function checkTooEarly({ gateway, checks, attackAccounts }: Fixture, named: NamedFrame): Promise<void> {
  if (named.name === 'resume') return;
  const opened = await ProofSocket.open(gateway.url, { token: attackAccounts.alice.token, origin: ORIGIN });
  if (typeof opened === 'number') throw new Error(`the socket is refused with ${opened}`);
  using socket = opened;
  socket.say(frameFor(named, attackAccounts));
  await socket.settle(2_000);
  checks.that('a frame before resume ends the socket', socket.bye === 'protocol', () => `${named.name}: ${socket.bye}`);
}

/** Mallory sends a frame about Alice: Alice gets no frame, Mallory no data of hers, and no row of Alice changes. */
async function checkOthers({ gateway, rowReader, checks, attackAccounts }: Fixture, named: NamedFrame): Promise<void> {
  using alices = await ProofSocket.openResumed(gateway.url, { token: attackAccounts.alice.token, origin: ORIGIN });
  using mallorys = await ProofSocket.openResumed(gateway.url, { token: attackAccounts.mallory.token, origin: ORIGIN });
  await sleep(QUIET_MS);
  const [before, heard, learned] = [
    await rowReader.readRows(attackAccounts.alice.account),
    alices.frames.length,
    mallorys.frames.length,
  ];
  mallorys.say(frameFor(named, attackAccounts));
  await sleep(QUIET_MS);
  const answers = JSON.stringify(mallorys.frames.slice(learned));
  const after = await rowReader.readRows(attackAccounts.alice.account);
  checks.that(
    'no answer has data of another account',
    !answers.includes(attackAccounts.alice.account),
    () => `${named.name}: ${answers}`,
  );
  checks.that('frames of a stranger have no effect', alices.frames.length === heard, () => {
    return `${named.name}: ${JSON.stringify(alices.frames.slice(heard))}`;
  });
  checks.that('no call changes another account', before.join() === after.join(), () => named.name);
  const isHeard = mallorys.isOpen || named.name.startsWith('ack');
  checks.note(`frame ${named.name}`, 'rightful', isHeard ? 101 : 0);
  checks.that('the rightful caller is accepted', isHeard, () => `frame ${named.name} ended with ${mallorys.bye}`);
}

/** The end of a session closes its socket, also while it sends frames. */
async function checkEnded({ gateway, apis, checks, attackAccounts }: Fixture, named: NamedFrame): Promise<void> {
  const { session, token } = await attackAccounts.makeSession();
  using socket = await ProofSocket.openResumed(gateway.url, { token, origin: ORIGIN });
  await callWith(apis[0]!.url, revokeSessions, { token: attackAccounts.alice.token }, { session });
  const talking = setInterval(() => {
    if (socket.isOpen && named.name !== 'resume') socket.say(frameFor(named, attackAccounts));
  }, 20);
  await socket.settle(ENDS_WITHIN_MS);
  clearInterval(talking);
  checks.note(`frame ${named.name}`, 'ended', socket.isOpen ? 101 : 0);
  checks.that('an ended session loses its socket within a second', !socket.isOpen, () => named.name);
}
