import { describe, expect, it } from 'vitest';
import { type Check, settle } from './check.ts';
import { writeReport } from './report.ts';

const checks: Check[] = [
  { id: 'secure', run: () => ({ state: 'pass' }) },
  { id: 'locks', run: () => ({ state: 'fail' }) },
  { id: 'upload', run: () => ({ state: 'off' }) },
];

describe('a report', () => {
  it('lists every check with its state and details', () => {
    const report = writeReport({ path: '/test', build: 'abc', agent: 'Browser 1', at: new Date(0) }, checks, {
      secure: { state: 'pass', detail: 'https:' },
      locks: { state: 'fail' },
      upload: { state: 'off' },
    });
    expect(report.split('\n')).toEqual([
      'Dostar /test',
      'build abc, 1970-01-01T00:00:00.000Z',
      'Browser 1',
      '[pass] secure (https:)',
      '[fail] locks',
      '[off] upload',
    ]);
  });
});

describe('a check', () => {
  it('that throws fails with the reason in the details', async () => {
    const outcome = await settle(() => {
      throw new TypeError('not here');
    });
    expect(outcome).toEqual({ state: 'fail', detail: 'TypeError: not here' });
  });

  it('that passes keeps its details', async () => {
    expect(await settle(async () => await Promise.resolve({ state: 'pass', detail: '3 ms' }))).toEqual({
      state: 'pass',
      detail: '3 ms',
    });
  });
});
