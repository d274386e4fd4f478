import type { Message } from '@dostar/client';

const order = ['failed', 'sending', 'sent', 'delivered', 'read'] as const;

/** Status of an album: that of the picture that is furthest behind. */
export function slowest(messages: readonly Pick<Message, 'status'>[]): Message['status'] {
  return order.find((status) => messages.some((message) => message.status === status)) ?? 'sent';
}
