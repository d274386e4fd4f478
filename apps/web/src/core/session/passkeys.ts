import type { Passkeys } from '@dostar/client/passkeys';

export async function loadPasskeys(): Promise<Passkeys> {
  const { openPasskeys } = await import('./auth.ts');
  return openPasskeys();
}

/** False while a page is prerendered, since there is no browser then. */
export function hasPasskeySupport(): boolean {
  return typeof window !== 'undefined' && 'PublicKeyCredential' in window;
}
