import { MessageId } from '@dostar/protocol/ids';

/**
 * A UUID of version 7: 48 bits of time, 74 random bits. The time keeps new ids close in indexes; messages are not
 * sorted by it.
 */
export function newMessageId(now: number, random: (size: number) => Uint8Array): MessageId {
  const bits = random(10);
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(12, '0').slice(-12);
  const tail = Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (8 + ((bits[1] ?? 0) & 0b11)).toString(16);
  return MessageId.parse(
    `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(5, 8)}-${tail.slice(8)}`,
  );
}
