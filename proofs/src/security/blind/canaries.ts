/** Unique words: a place that contains one stores data that it should not have. */
import { randomBytes } from 'node:crypto';
import type { PlantedSecrets } from '../secrets/planted-secrets.ts';

const KINDS = [
  'text',
  'edit',
  'reply',
  'caption',
  'file name',
  'file',
  'draft',
  'alias',
  'setting',
  'personal information',
  'identity proof',
  'search',
] as const;
type CanaryKind = (typeof KINDS)[number];
export type Canaries = Record<CanaryKind, string>;

/** Makes each word long enough that it never occurs by chance. */
export function plantCanaries(plantedSecrets: PlantedSecrets): Canaries {
  const entries = KINDS.map((kind) => {
    const canary = `canary-${kind.replace(' ', '-')}-${randomBytes(9).toString('hex')}`;
    plantedSecrets.plant(`canary: ${kind}`, canary);
    return [kind, canary];
  });
  return Object.fromEntries(entries) as Canaries;
}
