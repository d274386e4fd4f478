import type { Client } from '@dostar/client';
import type { AccountId, MessageId } from '@dostar/protocol/ids';

/** Idempotent: sends nothing if a message with this id was sent before. */
export async function sendText(client: Client, to: AccountId, text: string, id: MessageId): Promise<void> {
  await client.sendMessage({ to, content: { kind: 'text', text }, id });
}
