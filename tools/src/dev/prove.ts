import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { runHere } from './programs.ts';

const folder = join(repoRoot, 'proofs/src');

/** Every file directly in proofs/src is a proof; what they share lives in folders below it. */
export function listProofs(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .toSorted();
}

export async function prove(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  const proofs = listProofs();
  if (name === undefined || !proofs.includes(name)) {
    const width = Math.max(0, ...proofs.map((proof) => proof.length));
    console.log(proofs.map((proof) => `  ./dev prove ${proof.padEnd(width)}  ${describeProof(proof)}`).join('\n'));
    if (name !== undefined) console.error(`\nThere is no proof "${name}".`);
    return name === undefined ? 0 : 1;
  }
  return await runHere(process.execPath, [join(folder, `${name}.ts`), ...rest]);
}

/** The first line of its opening comment. */
function describeProof(name: string): string {
  const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
  return /^\s*(?:\/\/|\/\*\*?|\*)\s*(\S.*?)(?:\s*\*\/)?$/m.exec(text)?.[1] ?? '';
}
