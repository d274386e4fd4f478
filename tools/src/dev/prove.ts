import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { runHere } from './programs.ts';

const folder = join(repoRoot, 'proofs/src');

/** The folder with code that proofs share. */
const SHARED = 'harness';

/** Every file directly in a group of proofs/src is a proof. Returns the file of each by name. */
export function findProofs(): Map<string, string> {
  const groups = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== SHARED,
  );
  const files = groups.flatMap(({ name: group }) =>
    readdirSync(join(folder, group))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name): [string, string] => [name.slice(0, -'.ts'.length), join(folder, group, name)]),
  );
  return new Map(files.toSorted(([a], [b]) => a.localeCompare(b)));
}

export async function prove(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  const proofs = findProofs();
  const file = name === undefined ? undefined : proofs.get(name);
  if (file === undefined) {
    const width = Math.max(0, ...[...proofs.keys()].map((proof) => proof.length));
    const lines = [...proofs].map(([proof, path]) => `  ./dev prove ${proof.padEnd(width)}  ${describeProof(path)}`);
    console.log(lines.join('\n'));
    if (name !== undefined) console.error(`\nThere is no proof "${name}".`);
    return name === undefined ? 0 : 1;
  }
  return await runHere(process.execPath, [file, ...rest]);
}

/** The first line of the proof's opening comment. */
function describeProof(file: string): string {
  const text = readFileSync(file, 'utf8');
  return /^\s*(?:\/\/|\/\*\*?|\*)\s*(\S.*?)(?:\s*\*\/)?$/m.exec(text)?.[1] ?? '';
}
