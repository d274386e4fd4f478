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
  return { ...rules, judge: (password: string) => rules.findRefusal(password, 'aigerim@example.org') };
}

test('until the rules are loaded, four characters are enough and no password is refused', async () => {
  const rules = await open(12);
  ask.mockRejectedValueOnce(new Error('offline'));
  await rules.loadPasswordRules();
  expect(['abc', 'abcd', 'password'].map(rules.judge)).toEqual(['short', undefined, undefined]);
  await rules.loadPasswordRules();
  expect([rules.readPasswordMinimum(), rules.judge('abcd efghi')]).toEqual([12, 'short']);
});

test('an operator who asks for eight characters refuses common passwords too', async () => {
  const rules = await open(8);
  await rules.loadPasswordRules();
  expect(['abcdefg', 'password', 'Aigerim1', 'steppe wind'].map(rules.judge)).toEqual([
    'short',
    'common',
    'common',
    undefined,
  ]);
  await rules.loadPasswordRules();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('an operator with the default minimum refuses none', async () => {
  const rules = await open(4);
  await rules.loadPasswordRules();
  expect(rules.judge('password')).toBeUndefined();
});
