/**
 * Computes the ids of Amadeus's messages from the reason for the message. After a crash it sends the message again
 * under the same id, and the server keeps the first: no answer is lost or sent twice (SPEC S2).
 */
import { createHash } from 'node:crypto';
import { type AccountId, MessageId } from '@dostar/protocol/ids';

export function answerId(asker: AccountId, question: MessageId): MessageId {
  // The id begins with the question's time, so that ids of similar times are close in the database.
  return toId(`answer ${asker} ${question}`, question.replaceAll('-', '').slice(0, 12));
}

export function greetingId(asker: AccountId): MessageId {
  return toId(`greeting ${asker}`);
}

export function modelNoticeId(asker: AccountId, host: string): MessageId {
  return toId(`notice ${asker} ${host}`);
}

/** In the format of a UUID of version 7. */
function toId(reason: string, time = '000000000000'): MessageId {
  const hash = createHash('sha256').update(reason).digest('hex');
  const variant = (8 + (Number.parseInt(hash[3] ?? '0', 16) & 0b11)).toString(16);
  return MessageId.parse(
    `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`,
  );
}
