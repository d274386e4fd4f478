/** Sends a push through the service of its target. */
import type { Context } from '../../../context.ts';
import type { Push, PushOutcome } from '../../../platform/delivery/push-outcome.ts';
import { trace } from '../../../platform/observability/tracing.ts';
import type { TargetRow } from './store.ts';

/** Whether the target's kind of push is on: the operator may have switched it off since the device registered. */
export function canSend({ webPush, fcm }: Context, { kind }: Pick<TargetRow, 'kind'>): boolean {
  return kind === 'web' ? webPush !== undefined : fcm !== undefined;
}

export async function sendPush(
  { webPush, fcm, metrics }: Context,
  { kind, address, p256dh, auth }: Pick<TargetRow, 'kind' | 'address' | 'p256dh' | 'auth'>,
  push: Push,
  what: 'message' | 'test' | 'announcement',
): Promise<PushOutcome> {
  const outcome = await trace('push', { kind: what, service: kind }, async (note) => {
    const told =
      kind === 'web'
        ? await webPush!.send({ endpoint: address, p256dh: p256dh!, auth: auth! }, push)
        : await fcm!.send(address, push);
    note({ outcome: told.kind });
    return told;
  });
  metrics.pushes.inc({ kind: what, outcome: outcome.kind });
  return outcome;
}
