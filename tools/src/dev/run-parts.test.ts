import { expect, test, vi } from 'vitest';
import { capture } from './capture.ts';
import { balance } from './durations.ts';
import type { Part } from './part.ts';
import { describeOutcome, formatCounts, runPart, runParts } from './run-parts.ts';

function part(name: string, more: Partial<Part> = {}): Part {
  return { name, tier: 'gate', budget: 1, run: async () => ({ passed: 1, failed: 0, output: '' }), ...more };
}

async function namesOf(parts: Part[], concurrency: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of runParts(parts, concurrency)) names.push(name);
  return names;
}

test('counts add up over parts, and a part that throws is one failure', async () => {
  const outcomes = [
    await runPart(part('tests', { run: async () => ({ passed: 7, failed: 2, output: '' }) })),
    await runPart(part('build', { run: () => Promise.reject(new Error('no disk')) })),
  ];
  expect(formatCounts(outcomes)).toBe('7 passed, 3 failed');
  expect(outcomes[1]?.output).toContain('no disk');
});

test('the number of concurrent parts is limited, and a quick part does not wait for an earlier slow one', async () => {
  let [running, most] = [0, 0];
  const slow = Promise.withResolvers<void>();
  const counted = (name: string, work = Promise.resolve()) =>
    part(name, {
      async run() {
        running += 1;
        most = Math.max(most, running);
        await work;
        running -= 1;
        if (name === 'quicker') slow.resolve();
        return { passed: 1, failed: 0, output: '' };
      },
    });
  const parts = [counted('slow', slow.promise), counted('quick'), counted('quicker')];
  expect(await namesOf(parts, 2)).toEqual(['quick', 'quicker', 'slow']);
  expect(most).toBe(2);
});

test('a part waits for the parts it needs, and fails without running if one of them failed', async () => {
  const run = vi.fn<Part['run']>();
  const failing = part('build', { run: async () => ({ passed: 0, failed: 1, output: 'broken' }) });
  const needy = part('browser', { needs: ['build'], run });
  expect(await namesOf([needy, failing, part('types')], 2)).toEqual(['build', 'browser', 'types']);
  expect(run).not.toHaveBeenCalled();
  expect(await namesOf([part('browser', { needs: ['build'] }), part('build')], 2)).toEqual(['build', 'browser']);
  // The needed part is not in this run, so it counts as done.
  expect(await namesOf([part('browser', { needs: ['build'] })], 2)).toEqual(['browser']);
});

test('a part that measures has the machine to itself', async () => {
  let running = 0;
  const seen: number[] = [];
  const counted = (name: string, isAlone: boolean) =>
    part(name, {
      isAlone,
      async run() {
        running += 1;
        await Promise.resolve();
        if (isAlone) seen.push(running);
        running -= 1;
        return { passed: 1, failed: 0, output: '' };
      },
    });
  await namesOf([counted('a', false), counted('measured', true), counted('b', false)], 2);
  expect(seen).toEqual([1]);
});

test('an overrun of the budget is told, in whole seconds', () => {
  const outcome = { name: 'tests', budget: 10, milliseconds: 12_400, passed: 3, failed: 0, output: '' };
  expect(describeOutcome(outcome)).toBe('3 passed, 2 s over its budget');
  expect(describeOutcome({ ...outcome, milliseconds: 9_000 })).toBe('3 passed');
});

test('proofs are sorted by their durations here, and other parts keep their order', () => {
  const parts = ['types', 'prove:a', 'prove:b', 'audit', 'prove:c'].map((name) => part(name));
  const ordered = balance(parts, { 'prove:b': 9_000, 'prove:c': 5_000 });
  expect(ordered.map(({ name }) => name)).toEqual(['types', 'prove:b', 'prove:c', 'audit', 'prove:a']);
});

test('a program that hangs is killed with its children, and its output is kept', async () => {
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

test('what a program writes to descriptor 3 is passed on while it still runs', async () => {
  const told: string[] = [];
  const script = 'echo "FAILED  a test" >&3; read line < "$0"';
  const fifo = (await capture('sh', ['-c', 'd=$(mktemp -d); mkfifo $d/f; echo $d/f'])).output;
  const ending = capture('sh', ['-c', script, fifo], { onFailure: (text) => void told.push(text) });
  await vi.waitFor(() => expect(told).toEqual(['FAILED  a test\n']));
  await capture('sh', ['-c', 'echo go > "$0"', fifo]);
  expect((await ending).code).toBe(0);
});

test('the time of a program is counted with that of its children', async () => {
  const spin = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);';
  const { cpuMs } = await capture('sh', ['-c', 'node -e "$0"; true', spin]);
  expect(cpuMs).toBeGreaterThanOrEqual(200);
});
