import type { Factors } from '@dostar/client/factors';

export async function loadFactors(): Promise<Factors> {
  const { openFactors } = await import('../../../core/session/auth.ts');
  return openFactors();
}
