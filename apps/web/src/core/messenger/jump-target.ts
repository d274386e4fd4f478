/** The message that a link leads to. It travels in the history's state, because others could see it in the address. */
import { AccountId, MessageId } from '@dostar/protocol/ids';
import { z } from 'zod';

const JumpTarget = z.object({ sender: AccountId, id: MessageId, place: z.number() });
export type JumpTarget = z.infer<typeof JumpTarget>;

export function jumpState({ sender, id, place }: JumpTarget): { jump: JumpTarget } {
  return { jump: { sender, id, place } };
}

export function parseJumpTarget(state: unknown): JumpTarget | undefined {
  return z.object({ jump: JumpTarget }).safeParse(state).data?.jump;
}
