import type { Passkeys } from '@dostar/client/passkeys';

export async function loadPasskeys(): Promise<Passkeys> {
  const { openPasskeys } = await import('./auth.ts');
  return openPasskeys();
}

/** False also while a page is prerendered: there is no browser to ask. */
export function hasPasskeySupport(): boolean {
  return typeof window !== 'undefined' && 'PublicKeyCredential' in window;
}
