// Builds a copy of the repository's folders in a temporary folder, adds the samples, and runs the real tools with the
// repository's real settings on each file.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { capture } from '../dev/capture.ts';
import type { SourceFile } from './sample.ts';

const packagePaths = ['packages/protocol', 'packages/client', 'apps/server', 'apps/web'];

/** All diagnostics of a file, by its path in the workspace. */
export type MessagesByFile = Map<string, string[]>;

export interface FixtureWorkspace extends Disposable {
  lint(): Promise<MessagesByFile>;
  compile(): Promise<MessagesByFile>;
}

export function createFixtureWorkspace(files: SourceFile[]): FixtureWorkspace {
  const root = mkdtempSync(join(tmpdir(), 'dostar-boundaries-'));
  symlinkSync(join(repoRoot, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(repoRoot, 'oxlint.config.ts'), join(root, 'oxlint.config.ts'));
  for (const packagePath of packagePaths) linkPackage(root, packagePath);
  for (const { path, text } of files) write(join(root, path), text);
  return {
    lint: () => lint(root),
    compile: () => compile(root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function linkPackage(root: string, packagePath: string): void {
  mkdirSync(join(root, packagePath), { recursive: true });
  // Uses the package's own dependencies and compiler settings: an import that does not resolve there must not resolve
  // here.
  symlinkSync(join(repoRoot, packagePath, 'node_modules'), join(root, packagePath, 'node_modules'));
  const settings = {
    extends: join(repoRoot, packagePath, 'tsconfig.json'),
    compilerOptions: { composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true, rootDir: '/' },
    include: ['src'],
    references: [],
  };
  write(join(root, packagePath, 'tsconfig.json'), JSON.stringify(settings));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Diagnostic {
  code: string;
  message: string;
  help?: string;
  filename: string;
}

async function lint(root: string): Promise<MessagesByFile> {
  const { output } = await capture('oxlint', ['--format=json', '--ignore-pattern', '**/node_modules/**'], {
    cwd: root,
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  const reported = diagnostics.map((one): [string, string] => [
    one.filename,
    `${one.code} ${one.message} ${one.help ?? ''}`,
  ]);
  return collect(reported);
}

async function compile(root: string): Promise<MessagesByFile> {
  const outputs = await Promise.all(
    packagePaths.map((packagePath) => capture('tsc', ['-p', packagePath, '--pretty', 'false'], { cwd: root })),
  );
  const lines = outputs.flatMap(({ output }) => output.split('\n'));
  const reported = lines.flatMap((line): [string, string][] => {
    const match = /^([^(]+)\(\d+,\d+\): error (.*)$/.exec(line);
    return match ? [[match[1]!, match[2]!]] : [];
  });
  return collect(reported);
}

function collect(reported: [string, string][]): MessagesByFile {
  const messagesByFile: MessagesByFile = new Map();
  for (const [file, text] of reported) messagesByFile.set(file, [...(messagesByFile.get(file) ?? []), text]);
  return messagesByFile;
}
