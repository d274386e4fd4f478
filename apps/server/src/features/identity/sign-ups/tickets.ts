/** A ticket binds a sign-up to the browser that began it. Only its hash is kept. */
import { createHash, randomBytes } from 'node:crypto';

export function mintTicket(): { ticket: string; ticketHash: Buffer } {
  const ticket = randomBytes(32).toString('base64url');
  return { ticket, ticketHash: hashTicket(ticket) };
}

export function isTicket(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function hashTicket(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
