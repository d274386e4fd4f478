// The build's list of hashes, and the hash of that list: the code fingerprint, the same for all builds of the same
// source.
export interface IntegrityManifest {
  build: string;
  /** The operator's address is replaced by this in the hashed pages. */
  placeholder: string;
  /** The marks in the hashed pages, and in pages of an operator without Google. */
  google: { on: string; off: string };
  /** SHA-256 in hexadecimal, by path. */
  files: Record<string, string>;
  pages: Record<string, string>;
}

interface FetchedManifest {
  list: IntegrityManifest;
  fingerprint: string;
}

export const integrityManifestAddress = '/manifest.json';
const groups = 8;
const groupLength = 4;
/** As wide as a fingerprint, to reserve its space until it is loaded. */
export const emptyFingerprint = Array.from({ length: groups }, () => '0'.repeat(groupLength)).join(' ');

export async function hashBytes(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function readIntegrityManifest(): Promise<FetchedManifest> {
  const reply = await fetch(integrityManifestAddress, { cache: 'no-store' });
  if (!reply.ok) throw new Error(`the integrity manifest answered ${reply.status}`);
  const bytes = await reply.arrayBuffer();
  const list = JSON.parse(new TextDecoder().decode(bytes)) as IntegrityManifest;
  return { list, fingerprint: await hashBytes(bytes) };
}

/** The first 128 bits, short enough to be read aloud. */
export function formatFingerprint(fingerprint: string): string {
  const digits = fingerprint.slice(0, groups * groupLength);
  return digits.match(new RegExp(`.{${groupLength}}`, 'g'))?.join(' ') ?? digits;
}
