import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFixtureWorkspace } from './fixture-workspace.ts';
import type { MessagesByFile } from './fixture-workspace.ts';
import { samples, supportFiles } from './samples.ts';

describe('every boundary is enforced', () => {
  const workspace = createFixtureWorkspace([
    ...supportFiles,
    ...samples.flatMap((sample) => [sample.bad, sample.good]),
  ]);
  let messagesByFile: Record<'compiler' | 'linter', MessagesByFile>;

  beforeAll(async () => {
    const [linter, compiler] = await Promise.all([workspace.lint(), workspace.compile()]);
    messagesByFile = { linter, compiler };
  });
  afterAll(() => workspace[Symbol.dispose]());

  test.each(samples)('$boundary', ({ enforcedBy, expectedMessage, bad, good }) => {
    expect(messagesByFile[enforcedBy].get(bad.path) ?? []).toContainEqual(expect.stringContaining(expectedMessage));
    expect(messagesByFile[enforcedBy].get(good.path) ?? []).not.toContainEqual(
      expect.stringContaining(expectedMessage),
    );
  });
});
