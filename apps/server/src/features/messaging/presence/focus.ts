/**
 * Which devices show the app right now, so that they get no push.
 *
 * Only gateways know, so nothing is stored: `queryFocus` asks all of them over the bus. It waits for the gateways that
 * answered the last query, so a busy one is heard and a dead one forgotten. A lost answer costs one needless push. The
 * opposite error: a device that fell asleep counts as focused for 75 s after its last frame, and gets no push meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { Bus } from '../../../platform/bus/bus.ts';

const QUERY_SUBJECT = 'focus.ask';
/** For gateways that have never answered. */
const TIMEOUT_MS = 100;
const FIRST_TIMEOUT_MS = 1_000;
const KNOWN_TIMEOUT_MS = 3_000;

/** The gateways that answered last time. */
const knownGateways = new WeakMap<Bus, Set<string>>();

/** For a gateway: answers until stopped. `list` returns the devices of these accounts that show the app here. */
export async function serveFocusQueries(
  ctx: Context,
  list: (accounts: AccountId[]) => DeviceId[],
): Promise<() => void> {
  const gateway = randomUUID();
  return ctx.bus.subscribe(QUERY_SUBJECT, (payload) => {
    const [replyTo, ...accounts] = payload.split(' ');
    if (replyTo !== undefined) ctx.bus.publish(replyTo, [gateway, ...list(accounts as AccountId[])].join(' '));
  });
}

export async function queryFocus(ctx: Context, accounts: AccountId[]): Promise<Set<DeviceId>> {
  const focused = new Set<DeviceId>();
  if (accounts.length === 0) return focused;
  const known = knownGateways.get(ctx.bus);
  const answered = new Set<string>();
  const { promise: allAnswered, resolve } = Promise.withResolvers<void>();
  const replyTo = `focus.answer.${randomUUID()}`;
  const stop = await ctx.bus.subscribe(replyTo, (payload) => {
    const [gateway = '', ...devices] = payload.split(' ');
    answered.add(gateway);
    for (const device of devices) focused.add(device as DeviceId);
    if (known && [...known].every((each) => answered.has(each))) resolve();
  });
  ctx.bus.publish(QUERY_SUBJECT, [replyTo, ...accounts].join(' '));
  await sleep(known ? TIMEOUT_MS : FIRST_TIMEOUT_MS);
  if (known) await Promise.race([allAnswered, sleep(KNOWN_TIMEOUT_MS, undefined, { ref: false })]);
  stop();
  if (answered.size > 0) knownGateways.set(ctx.bus, answered);
  else knownGateways.delete(ctx.bus);
  return focused;
}
