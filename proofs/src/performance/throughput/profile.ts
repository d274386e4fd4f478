import { readFile } from 'node:fs/promises';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The functions with the largest self time, as shares of the busy time, largest first. */
export async function listTopFunctions(path: string, count: number): Promise<[number, string][]> {
  const profile = JSON.parse(await readFile(path, 'utf8')) as CpuProfile;
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, describe(callFrame)]));
  const micros = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id)!;
    const delta = profile.timeDeltas[index]!;
    if (name === '(idle)') continue;
    busy += delta;
    micros.set(name, (micros.get(name) ?? 0) + delta);
  }
  return [...micros]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([name, spent]) => [Math.round((spent / busy) * 1000) / 10, name]);
}

function describe({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.split('/').slice(-3).join('/');
  return `${functionName || 'anonymous'}${file && ` ${file}:${lineNumber + 1}`}`;
}
