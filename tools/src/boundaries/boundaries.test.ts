import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildHouse } from './fixture.ts';
import type { Complaints } from './fixture.ts';
import { samples, scenery } from './samples.ts';

describe('every wall stands', () => {
  const house = buildHouse([...scenery, ...samples.flatMap((sample) => [sample.bad, sample.good])]);
  let complaints: Record<'compiler' | 'linter', Complaints>;

  beforeAll(async () => {
    const [linter, compiler] = await Promise.all([house.lint(), house.compile()]);
    complaints = { linter, compiler };
  });
  afterAll(() => house[Symbol.dispose]());

  test.each(samples)('$wall', ({ heldBy, complaint, bad, good }) => {
    expect(complaints[heldBy].get(bad.path) ?? []).toContainEqual(expect.stringContaining(complaint));
    expect(complaints[heldBy].get(good.path) ?? []).not.toContainEqual(expect.stringContaining(complaint));
  });
});
