import type { Page } from '@playwright/test';

/** The decrypted keys that this browser stores for the account, by name, including the device key. */
export async function readStoredKeys(page: Page, account: string): Promise<Record<string, Buffer>> {
  const kept = await page.evaluate(async (id) => {
    const file = await caches.match(`/device-key/${id}`);
    const deviceKey = new Uint8Array(await file!.arrayBuffer());
    const key = await crypto.subtle.importKey('raw', deviceKey, 'AES-GCM', false, ['decrypt']);
    const opening = indexedDB.open('dostar/keys');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const reading = opening.result.transaction('kept').objectStore('kept').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    opening.result.close();
    const rows = reading.result as { account: string; iv: BufferSource; sealed: ArrayBuffer }[];
    const secrets: [string, number[]][] = [['device key', [...deviceKey]]];
    for (const { account: name, iv, sealed } of rows) {
      const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(name) };
      secrets.push([name, [...new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed))]]);
    }
    return secrets;
  }, account);
  return Object.fromEntries(kept.map(([name, bytes]) => [name, Buffer.from(bytes)]));
}
