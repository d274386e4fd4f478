import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reduceStatus, type Status, type StatusEvent } from './status.ts';

const RANK: Record<Status, number> = { sending: 0, failed: 1, sent: 2, delivered: 3, read: 4 };
const statuses = fc.constantFrom<Status>('sending', 'failed', 'sent', 'delivered', 'read');
const events = fc.constantFrom<StatusEvent>('accepted', 'refused', 'delivered', 'read');

test('a message goes from sending to read', () => {
  const walk: StatusEvent[] = ['accepted', 'delivered', 'read'];
  let status: Status = 'sending';
  const seen = walk.map((event) => (status = reduceStatus(status, event)));
  expect(seen).toEqual(['sent', 'delivered', 'read']);
});

test('a status never goes back, unless the message is sent again', () => {
  fc.assert(
    fc.property(statuses, fc.array(events), (start, history) => {
      let status = start;
      for (const event of history) {
        const next = reduceStatus(status, event);
        expect(RANK[next]).toBeGreaterThanOrEqual(RANK[status]);
        status = next;
      }
    }),
  );
});

test('a refusal that comes after the acceptance changes nothing', () => {
  expect(reduceStatus('sent', 'refused')).toBe('sent');
  expect(reduceStatus('delivered', 'refused')).toBe('delivered');
});

test("a failed message becomes sent when the server's copy arrives", () => {
  expect(reduceStatus('failed', 'accepted')).toBe('sent');
});

test('repeated or late receipts never lower the status', () => {
  expect(reduceStatus('read', 'delivered')).toBe('read');
  expect(reduceStatus('delivered', 'accepted')).toBe('delivered');
});

test('C3: a message that is sent again has the status sending, whatever it was before', () => {
  expect(reduceStatus('failed', 'offered')).toBe('sending');
  expect(reduceStatus('sent', 'offered')).toBe('sending');
});
