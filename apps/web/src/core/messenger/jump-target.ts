/** A message that a link leads to, as it travels in the history's state: an address would be seen by others. */
import { AccountId, MessageId } from '@dostar/protocol/ids';
import { z } from 'zod';

const Jump = z.object({ sender: AccountId, id: MessageId, place: z.number() });
export type Jump = z.infer<typeof Jump>;

export function jumpState({ sender, id, place }: Jump): { jump: Jump } {
  return { jump: { sender, id, place } };
}

export function parseJump(state: unknown): Jump | undefined {
  return z.object({ jump: Jump }).safeParse(state).data?.jump;
}
