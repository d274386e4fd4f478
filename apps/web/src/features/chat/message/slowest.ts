import type { Message } from '@dostar/client';

const order = ['failed', 'sending', 'sent', 'delivered', 'read'] as const;

/** An album has got as far as its last picture. */
export function slowest(messages: readonly Pick<Message, 'status'>[]): Message['status'] {
  return order.find((status) => messages.some((message) => message.status === status)) ?? 'sent';
}
