import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const ask = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('fetch', ask);
});
afterEach(() => {
  ask.mockReset();
  vi.unstubAllGlobals();
});

async function open(minimum: number) {
  ask.mockImplementation(() => Promise.resolve(Response.json({ minimum })));
  const rules = await import('./password-rules.ts');
  const { checkNewPassword } = await import('./check-new-password.ts');
  const check = (password: string) => checkNewPassword({ password, confirmation: password }).password;
  return { ...rules, check };
}

test('without an answer four characters are enough and no password is refused', async () => {
  const rules = await open(12);
  ask.mockRejectedValueOnce(new Error('offline'));
  await rules.loadPasswordRules();
  expect([rules.check('abc'), rules.check('abcd')]).toEqual(['passwordShort', undefined]);
  expect(rules.isRefused('password', '')).toBe(false);
  await rules.loadPasswordRules();
  expect(rules.check('abcd efghi')).toBe('passwordShort');
});

test('an operator who asks for eight characters refuses common passwords too', async () => {
  const rules = await open(8);
  await rules.loadPasswordRules();
  expect([rules.check('abcdefg'), rules.check('abcdefgh')]).toEqual(['passwordShort', undefined]);
  expect([rules.isRefused('password', ''), rules.isRefused('steppe wind', '')]).toEqual([true, false]);
  await rules.loadPasswordRules();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('an operator who leaves the minimum refuses none', async () => {
  const rules = await open(4);
  await rules.loadPasswordRules();
  expect(rules.isRefused('password', '')).toBe(false);
});
