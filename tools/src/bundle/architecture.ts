import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processors that a bundle can be made for, as Node names them. */
const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export function parseArchitecture(text: string): Architecture {
  const found = ARCHITECTURES.find((architecture) => architecture === text);
  if (found === undefined) throw new Error(`There are bundles for ${ARCHITECTURES.join(' and ')}, not for ${text}.`);
  return found;
}

interface Lock {
  packages: Record<string, { version: string; integrity: string }>;
}

/** The Node that everything runs with, as npm's package for this processor. */
export function readPinnedNode(
  root: string,
  architecture: Architecture,
): { name: string; version: string; integrity: string } {
  const name = `node-linux-${architecture}`;
  const lock = JSON.parse(readFileSync(join(root, '.ci/node/package-lock.json'), 'utf8')) as Lock;
  const pinned = lock.packages[`node_modules/${name}`];
  if (pinned === undefined) throw new Error(`The lock file of .ci/node lacks ${name}.`);
  return { name, version: pinned.version, integrity: pinned.integrity };
}
