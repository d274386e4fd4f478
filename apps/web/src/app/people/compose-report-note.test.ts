import { expect, test } from 'vitest';
import { composeReportNote, MAX_NOTE } from './compose-report-note.ts';

test('the words of the reporter come first, then messages as quotes', () => {
  expect(composeReportNote(' He asks for money. ', ['Send me\n100', 'Now!'])).toBe(
    'He asks for money.\n> Send me 100\n> Now!',
  );
  expect(composeReportNote('', ['Now!'])).toBe('> Now!');
  expect(composeReportNote('', [])).toBe('');
});

test('it is never longer than the server accepts, and messages do not shorten the words of the reporter', () => {
  const long = 'а'.repeat(5000);
  expect(composeReportNote('word', [long, long, long, long, long]).length).toBeLessThanOrEqual(MAX_NOTE);
  expect(composeReportNote(long, [long])).toBe(long.slice(0, MAX_NOTE));
});
