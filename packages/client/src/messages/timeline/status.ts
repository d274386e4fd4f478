/**
 * The status of a message.
 *
 *     sending ──refused──▶ failed
 *        │                   │        accepted: a repeated request was refused, the first had arrived
 *        ▼ accepted          ▼
 *       sent ──delivered──▶ delivered ──read──▶ read
 *
 * The status never goes back, with one exception: `offered` puts a message in the outbox again, because a person
 * retries a failed message, or because the server lost it (SPEC C3).
 *
 * `sending`, `sent` and `failed` are stored with the message. `delivered` and `read` are never stored: one register per
 * chat and reader says how far they have got (SPEC R5), and each read of a page compares it with the page's messages.
 * So a receipt is one small write, however many messages it covers.
 */
export type StoredStatus = 'sending' | 'sent' | 'failed';
export type Status = StoredStatus | 'delivered' | 'read';

export type StatusEvent = 'accepted' | 'refused' | 'offered' | 'delivered' | 'read';

export function reduceStatus(status: StoredStatus, event: 'accepted' | 'refused' | 'offered'): StoredStatus;
export function reduceStatus(status: Status, event: StatusEvent): Status;
export function reduceStatus(status: Status, event: StatusEvent): Status {
  switch (event) {
    case 'offered':
      return 'sending';
    case 'accepted':
      return status === 'sending' || status === 'failed' ? 'sent' : status;
    case 'refused':
      return status === 'sending' ? 'failed' : status;
    case 'delivered':
      return status === 'read' ? 'read' : 'delivered';
    case 'read':
      return 'read';
  }
}
