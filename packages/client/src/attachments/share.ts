/** Gives the recipient of a message access to its files. The references are written before the message (SPEC F3). */
import { BlobId, shareBlobs } from '@dostar/protocol/contract/blobs';
import type { Content } from '@dostar/protocol/content/kinds';
import type { AccountId } from '@dostar/protocol/ids';
import type { ClientDeps } from '../deps.ts';
import { callEndpoint } from '../net/http.ts';

type ShareDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>;

export async function shareFiles(deps: ShareDeps, to: AccountId, content: Content, signal: AbortSignal): Promise<void> {
  const blobs = blobsOf(content);
  if (blobs.length > 0) await callEndpoint(deps, shareBlobs, { blobs, account: to }, signal);
}

/** The files a message names. */
export function blobsOf(content: Content): BlobId[] {
  if (content.kind === 'voice') return [BlobId.parse(content.voice.blob)];
  if (content.kind !== 'media') return [];
  const { blob, poster } = content.media;
  return [blob, ...(poster ? [poster.blob] : [])].map((id) => BlobId.parse(id));
}
