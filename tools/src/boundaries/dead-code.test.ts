import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { capture } from '../dev/capture.ts';
import { repoRoot } from '../servers/folders.ts';

interface Issue {
  file: string;
  exports: { name: string }[];
  files: unknown[];
  dependencies: { name: string }[];
}

const clean = {
  'package.json': '{ "name": "workspace", "private": true, "type": "module" }',
  'apps/server/package.json': '{ "name": "@dostar/server", "private": true, "type": "module" }',
  'apps/server/src/main.ts': "import { start } from './start.ts';\n\nstart();\n",
  'apps/server/src/start.ts': 'export function start(): void {}\n',
};

test('dead exports, files and dependencies are found', async () => {
  const issues = await findDeadCode({
    ...clean,
    'apps/server/package.json':
      '{ "name": "@dostar/server", "private": true, "type": "module", "dependencies": { "left-over": "1.0.0" } }',
    'apps/server/src/start.ts': 'export function start(): void {}\n\nexport function stop(): void {}\n',
    'apps/server/src/forgotten.ts': 'export function forget(): void {}\n',
  });
  const byFile = new Map(issues.map((issue) => [issue.file, issue]));
  expect(byFile.get('apps/server/src/start.ts')?.exports).toMatchObject([{ name: 'stop' }]);
  expect(byFile.get('apps/server/src/forgotten.ts')?.files).toHaveLength(1);
  expect(byFile.get('apps/server/package.json')?.dependencies).toMatchObject([{ name: 'left-over' }]);
});

test('a workspace without dead code has no findings', async () => {
  expect(await findDeadCode(clean)).toEqual([]);
});

async function findDeadCode(files: Record<string, string>): Promise<Issue[]> {
  const root = mkdtempSync(join(tmpdir(), 'dostar-dead-'));
  try {
    symlinkSync(join(repoRoot, 'node_modules'), join(root, 'node_modules'));
    for (const name of ['knip.json', 'pnpm-workspace.yaml']) cpSync(join(repoRoot, name), join(root, name));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { output } = await capture('knip', ['--no-progress', '--no-config-hints', '--reporter', 'json'], {
      cwd: root,
    });
    return (JSON.parse(output) as { issues: Issue[] }).issues;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
