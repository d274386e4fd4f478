/** Proofs as parts: eight of them, short and without variants, in the gate; all of them in full in the nightly tier. */
import { program } from './make-part.ts';
import type { Part } from './part.ts';
import { findProofs } from './prove.ts';

const minute = 60_000;

/** Budgets in the gate in seconds, beside one other part. */
const GATE: Record<string, number> = {
  e2ee: 120,
  'sign-up': 100,
  isolation: 80,
  fuzz: 90,
  blind: 60,
  secrets: 50,
  mailbox: 30,
  permissions: 30,
};

/** A fixed seed, so that a failing gate is caused by the change. Other seeds run every night. */
const GATE_ARGUMENTS: Record<string, string[]> = { fuzz: ['--seed', '1'] };

/** Proofs that judge measurements, so each runs alone. */
const MEASURING = new Set([
  'app-lock',
  'chat-load',
  'flat',
  'fuzz',
  'history',
  'lighthouse',
  'push',
  'stopped-shard',
  'storage',
  'throughput',
]);

/**
 * Reduced arguments where the full form takes longer than a night. The full form is run manually: `./dev prove NAME`.
 */
const NIGHTLY_ARGUMENTS: Record<string, string[]> = {
  undecryptable: ['--messages', '4000'],
};

/** Proofs that run a variant only if it is requested. */
const VARIANTS: Record<string, string[]> = {
  permissions: [
    'document-security',
    'collection-permissions',
    'guests',
    'verified',
    'account-ids',
    'former-ids',
    'owned-documents',
  ],
  'sign-up': ['sweeper'],
  throughput: ['look-up'],
};

export function listProofParts(): Part[] {
  const proofs = [...findProofs()];
  const gate = proofs.flatMap(([name, file]) => {
    const budget = GATE[name];
    return budget === undefined
      ? []
      : [
          proof(file, { name: `prove:${name}`, tier: 'gate', budget }, [
            '--short',
            '--intact',
            ...(GATE_ARGUMENTS[name] ?? []),
          ]),
        ];
  });
  return [...gate, ...proofs.flatMap(([name, file]) => nightlyForms(name, file))];
}

function nightlyForms(name: string, file: string): Part[] {
  const isAlone = MEASURING.has(name);
  const why = isAlone ? 'It measures.' : 'All of its variants and sizes.';
  const full = { name: `prove-all:${name}`, tier: 'nightly' as const, budget: 1200, needs: ['build'], isAlone, why };
  const variants = (VARIANTS[name] ?? []).map((variant) =>
    proof(file, { ...full, name: `prove-all:${name}-without-${variant}`, budget: 300 }, ['--without', variant]),
  );
  return [proof(file, full, NIGHTLY_ARGUMENTS[name] ?? []), ...variants];
}

function proof(file: string, part: Omit<Part, 'run'>, args: string[]): Part {
  return program(part, process.execPath, [file, ...args], { timeoutMs: 90 * minute });
}
