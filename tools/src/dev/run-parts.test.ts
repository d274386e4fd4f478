import { expect, test } from 'vitest';
import { capture } from './capture.ts';
import { formatCounts, runPart, runParts } from './run-parts.ts';

test('counts add up over parts, and a part that throws is one failure', async () => {
  const outcomes = [
    await runPart({ name: 'tests', run: async () => ({ passed: 7, failed: 2, output: '' }) }),
    await runPart({ name: 'build', run: () => Promise.reject(new Error('no disk')) }),
  ];
  expect(formatCounts(outcomes)).toBe('7 passed, 3 failed');
  expect(outcomes[1]?.output).toContain('no disk');
});

test('parts run so many at once, and a quick one does not wait for a slow one before it', async () => {
  let [running, most] = [0, 0];
  const slow = Promise.withResolvers<void>();
  const part = (name: string, work = Promise.resolve()) => ({
    name,
    async run() {
      running += 1;
      most = Math.max(most, running);
      await work;
      running -= 1;
      return { passed: 1, failed: 0, output: '' };
    },
  });
  const ended: string[] = [];
  for await (const { name } of runParts([part('slow', slow.promise), part('quick'), part('quicker')], 2)) {
    ended.push(name);
    if (name === 'quicker') slow.resolve();
  }
  expect(ended).toEqual(['quick', 'quicker', 'slow']);
  expect(most).toBe(2);
});

test('a program that hangs is ended with its children and keeps what it said', async () => {
  const { code, output } = await capture('sh', ['-c', 'echo working; sleep 60 & wait'], { timeoutMs: 300 });
  expect(code).not.toBe(0);
  expect(output).toMatch(/^working\n\s*Ended after 0.3 s\.$/);
});

test('a program that does not exist fails with its name', async () => {
  expect(await capture('no-such-program', [])).toMatchObject({
    code: 1,
    output: expect.stringContaining('no-such-program'),
  });
});
