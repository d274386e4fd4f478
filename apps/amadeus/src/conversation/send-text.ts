import type { Client } from '@dostar/client';
import type { AccountId, MessageId } from '@dostar/protocol/ids';

/** Once and no more: what was said under this id before is not said again. */
export async function sendText(client: Client, to: AccountId, text: string, id: MessageId): Promise<void> {
  await client.sendMessage({ to, content: { kind: 'text', text }, id });
}
