import type { Verification } from '@dostar/client';

/** The phases of a verification that a person sees. */
export type Step = 'asked' | 'waiting' | 'ready' | 'comparing' | 'scanned' | 'confirmed' | 'done' | 'cancelled';

export function stepOf({ phase, weStarted }: Pick<Verification, 'phase' | 'weStarted'>): Step {
  if (phase === 'asked') return weStarted ? 'waiting' : 'asked';
  // While the emoji are being computed, the person sees the same wait as for the other side's answer.
  return phase === 'starting' ? 'confirmed' : phase;
}
