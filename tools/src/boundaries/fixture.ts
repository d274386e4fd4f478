// Builds a copy of the repository's outline in a temporary folder, puts the samples into its rooms and asks the real
// tools, with the repository's real settings, what they think of each file.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { capture } from '../dev/capture.ts';
import type { SourceFile } from './samples.ts';

const rooms = ['packages/protocol', 'packages/client', 'apps/server', 'apps/web'];

/** Every complaint about a file, by its path in the house. */
export type Complaints = Map<string, string[]>;

export interface House extends Disposable {
  lint(): Promise<Complaints>;
  compile(): Promise<Complaints>;
}

export function buildHouse(files: SourceFile[]): House {
  const root = mkdtempSync(join(tmpdir(), 'dostar-walls-'));
  symlinkSync(join(repoRoot, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(repoRoot, 'oxlint.config.ts'), join(root, 'oxlint.config.ts'));
  for (const room of rooms) furnish(root, room);
  for (const { path, text } of files) write(join(root, path), text);
  return {
    lint: () => lint(root),
    compile: () => compile(root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function furnish(root: string, room: string): void {
  mkdirSync(join(root, room), { recursive: true });
  // The package's own dependencies and compiler settings: what does not resolve there must not resolve here.
  symlinkSync(join(repoRoot, room, 'node_modules'), join(root, room, 'node_modules'));
  const settings = {
    extends: join(repoRoot, room, 'tsconfig.json'),
    compilerOptions: { composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true, rootDir: '/' },
    include: ['src'],
    references: [],
  };
  write(join(root, room, 'tsconfig.json'), JSON.stringify(settings));
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

async function lint(root: string): Promise<Complaints> {
  const { output } = await capture('oxlint', ['--format=json', '--ignore-pattern', '**/node_modules/**'], {
    cwd: root,
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  const said = diagnostics.map((one): [string, string] => [
    one.filename,
    `${one.code} ${one.message} ${one.help ?? ''}`,
  ]);
  return collect(said);
}

async function compile(root: string): Promise<Complaints> {
  const outputs = await Promise.all(
    rooms.map((room) => capture('tsc', ['-p', room, '--pretty', 'false'], { cwd: root })),
  );
  const lines = outputs.flatMap(({ output }) => output.split('\n'));
  const said = lines.flatMap((line): [string, string][] => {
    const match = /^([^(]+)\(\d+,\d+\): error (.*)$/.exec(line);
    return match ? [[match[1]!, match[2]!]] : [];
  });
  return collect(said);
}

function collect(said: [string, string][]): Complaints {
  const complaints: Complaints = new Map();
  for (const [file, text] of said) complaints.set(file, [...(complaints.get(file) ?? []), text]);
  return complaints;
}
