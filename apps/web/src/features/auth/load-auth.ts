import type { Auth } from '@dostar/client/auth';
import type { Factors } from '@dostar/client/factors';
import type { GoogleAuth } from '@dostar/client/google';

/** Loaded lazily: the auth code is larger than the page itself. */
export async function loadAuth(): Promise<Auth> {
  const { openAuth } = await import('../../core/session/auth.ts');
  return openAuth();
}

export async function loadFactors(): Promise<Factors> {
  const { openFactors } = await import('../../core/session/auth.ts');
  return openFactors();
}

export async function loadGoogle(): Promise<GoogleAuth> {
  const { openGoogle } = await import('../../core/session/auth.ts');
  return openGoogle();
}
