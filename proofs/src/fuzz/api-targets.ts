/** Every call of the contract, found as `isolation` finds them, and the two addresses that a browser opens by itself. */
import { createHash, randomUUID } from 'node:crypto';
import { BLOB_HEADER, CHUNK_HEADER, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import { GOOGLE_COOKIE, GOOGLE_RETURN_PATH } from '@dostar/protocol/contract/google';
import { PICTURE_PATH } from '@dostar/protocol/contract/picture-address';
import { VERSION_HEADER } from '@dostar/protocol/version';
import { makeBody } from '../isolation/bodies.ts';
import type { Belongings } from '../isolation/bodies.ts';
import { headersOf } from '../isolation/call.ts';
import { rightfulPapers } from '../isolation/cases.ts';
import { listEndpoints } from '../isolation/contract.ts';
import type { NamedEndpoint } from '../isolation/contract.ts';
import type { Base, Target } from './target.ts';

export async function listApiTargets(): Promise<Target[]> {
  return [...(await listEndpoints()).map(toTarget), ...VISITS];
}

function toTarget(named: NamedEndpoint): Target {
  const { method, path } = named.endpoint;
  return {
    name: `${method} ${path}`,
    base({ belongings, address }) {
      const sent = bytesOf(named.name);
      const body = sent?.body ?? bodyOf(named, belongings);
      const papers = {
        ...rightfulPapers(named, belongings),
        address,
        more: { [VERSION_HEADER]: '1', ...sent?.headers },
      };
      return { method, segments: split(path), params: [], query: [], headers: headersOf(papers, body), body };
    },
  };
}

/** Where nothing listens: a test of a push must not reach the service of somebody else. */
export const PUSH_SERVICE = 'https://127.0.0.1:1';

function bodyOf(named: NamedEndpoint, belongings: Belongings): unknown {
  const body = makeBody(named, belongings);
  return named.name === 'putPushTarget' ? { ...(body as object), endpoint: `${PUSH_SERVICE}/send` } : body;
}

/** Routes that carry bare bytes have no schema. */
function bytesOf(name: string): { headers: Record<string, string>; body?: Buffer } | undefined {
  const blob = { [BLOB_HEADER]: randomUUID() };
  const body = Buffer.from('bytes of a chunk');
  switch (name) {
    case 'CHUNK_ROUTE': {
      const hash = createHash('sha256').update(body).digest('base64url');
      return {
        headers: { ...blob, [CHUNK_HEADER]: '0', [HASH_HEADER]: hash, 'content-type': 'application/octet-stream' },
        body,
      };
    }
    case 'BYTES_ROUTE':
      return { headers: { ...blob, range: 'bytes=0-9' } };
    default:
      return undefined;
  }
}

const VISITS: Target[] = [
  {
    name: `GET ${GOOGLE_RETURN_PATH}`,
    base: ({ address }) =>
      visit(
        GOOGLE_RETURN_PATH,
        { state: 'state', code: 'code' },
        { 'x-forwarded-for': address, cookie: `${GOOGLE_COOKIE}=flow` },
      ),
  },
  {
    name: `GET ${PICTURE_PATH}`,
    base: ({ address }) => visit(PICTURE_PATH, { token: 'A'.repeat(120) }, { 'x-forwarded-for': address }),
  },
];

function visit(path: string, query: Record<string, string>, headers: Record<string, string>): Base {
  return { method: 'GET', segments: split(path), params: [], query: Object.entries(query), headers, body: undefined };
}

function split(path: string): string[] {
  return path.split('/').slice(1);
}
