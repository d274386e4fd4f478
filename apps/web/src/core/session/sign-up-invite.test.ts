import { afterEach, expect, test, vi } from 'vitest';
import { forgetOperatorInvite, readSignUpInvite, saveOperatorInvite } from './sign-up-invite.ts';

const [operators, friends] = ['o'.repeat(22), 'f'.repeat(43)];

afterEach(() => {
  window.localStorage.clear();
  vi.useRealTimers();
});

test('an invite of the operator is kept for a day, and comes before one of a friend', () => {
  vi.useFakeTimers({ now: 1_000 });
  window.localStorage.setItem('invite', JSON.stringify({ token: friends, fingerprint: 'f', at: Date.now() }));
  expect(readSignUpInvite()).toBe(friends);
  expect(saveOperatorInvite(`#${operators}`)).toBe(true);
  expect(readSignUpInvite()).toBe(operators);
  forgetOperatorInvite();
  expect(readSignUpInvite()).toBe(friends);
  vi.setSystemTime(25 * 3_600_000);
  expect(readSignUpInvite()).toBeUndefined();
});

test('a fragment of another form is no invite of the operator', () => {
  for (const hash of ['', '#', `#${friends}`, `#${operators}.${operators}`, `#${operators.slice(1)}!`]) {
    expect(saveOperatorInvite(hash)).toBe(false);
  }
  expect(readSignUpInvite()).toBeUndefined();
});
