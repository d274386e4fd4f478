import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { listUnpinnedActions } from './unpinned-actions.ts';

const folder = join(repoRoot, '.github/workflows');
const commit = '0123456789abcdef0123456789abcdef01234567';

test('every action of a workflow is pinned to a commit', () => {
  const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  expect(workflows.some(({ text }) => text.includes('uses:'))).toBe(true);
  for (const { name, text } of workflows) expect(listUnpinnedActions(text), name).toEqual([]);
});

test.each([
  'actions/checkout@v5',
  'actions/checkout@main',
  'actions/checkout@0123456 # v5.1.0',
  `actions/checkout@${commit}`,
  `actions/checkout@${commit} # v5`,
  'docker://alpine:3',
  "'actions/checkout@v5'",
])('%s is found', (action) => {
  expect(listUnpinnedActions(`steps:\n  - uses: ${action}\n  - if: failure()\n    uses: ${action}\n`)).toHaveLength(2);
});

test('a commit with its version, and an action of this repository, are not found', () => {
  expect(
    listUnpinnedActions(`steps:\n  - uses: actions/checkout@${commit} # v5.1.0\n  - uses: ./.github/own\n`),
  ).toEqual([]);
});
