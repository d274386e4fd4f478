/** Every call of the contract, found as `isolation` finds them, and the two addresses that a browser opens by itself. */
import { randomUUID } from 'node:crypto';
import { BLOB_HEADER } from '@dostar/protocol/contract/blobs';
import { GOOGLE_COOKIE, GOOGLE_RETURN_PATH } from '@dostar/protocol/contract/google';
import { PICTURE_PATH } from '@dostar/protocol/contract/picture-address';
import { VERSION_HEADER } from '@dostar/protocol/version';
import { makeBody } from '../isolation/bodies.ts';
import { headersOf } from '../isolation/call.ts';
import { rightfulPapers } from '../isolation/cases.ts';
import { listEndpoints } from '../isolation/contract.ts';
import type { NamedEndpoint } from '../isolation/contract.ts';
import { CHUNK, chunkHeaders } from './possessions.ts';
import type { Possessions } from './possessions.ts';
import type { Scene } from './scene.ts';
import type { Base, Target } from './target.ts';

export async function listApiTargets(): Promise<Target[]> {
  return [...(await listEndpoints()).map(toTarget), ...VISITS];
}

function toTarget(named: NamedEndpoint): Target {
  const { method, path } = named.endpoint;
  return {
    name: `${method} ${path}`,
    base(scene) {
      const { belongings, address } = scene;
      const sent = bytesOf(named.name, scene.possessions);
      const body = sent?.body ?? bodyOf(named, scene);
      const papers = {
        ...rightfulPapers(named, belongings),
        address,
        more: { [VERSION_HEADER]: '1', ...sent?.headers },
      };
      return { method, segments: split(path), params: [], query: [], headers: headersOf(papers, body), body };
    },
  };
}

/** By the name of the endpoint: fields that name what the person owns. */
const FILLS: Record<string, (scene: Scene) => object> = {
  getBackup: ofBackup,
  deleteBackup: (scene) => ({ ...ofBackup(scene), forGood: false }),
  restoreBackup: ofBackup,
  putBackupKeys: ofBackup,
  getBackupKeys: (scene) => ({ ...ofBackup(scene), names: undefined, after: undefined }),
  finishBlob: ({ possessions }) => ({ id: possessions.blob }),
  shareBlobs: ({ possessions, belongings }) => ({ blobs: [possessions.blob], account: belongings.friend.account }),
  getDeviceTransfer: ofTransfer,
  answerDeviceTransfer: ofTransfer,
  refuseDeviceTransfer: ofTransfer,
  revealDeviceTransfer: ({ possessions }) => ({ id: possessions.answeredTransfer }),
  redeemInvite: ({ possessions }) => ({ act: randomUUID(), token: possessions.invite }),
  findUser: ({ possessions }) => ({ username: possessions.friendName }),
  // Names are unique, and each person takes one.
  changeUsername: ({ belongings }) => ({ username: `fuzz.${belongings.alice.account.slice(0, 8)}` }),
  putVault: () => ({ rev: 0 }),
  putPushTarget: ({ possessions }) => possessions.subscription,
};

function ofBackup({ possessions }: Scene): object {
  return { version: possessions.backup };
}

function ofTransfer({ possessions }: Scene): object {
  return { id: possessions.askedTransfer };
}

function bodyOf(named: NamedEndpoint, scene: Scene): unknown {
  const body = makeBody(named, scene.belongings);
  const fill = FILLS[named.name];
  return fill ? { ...(body as object), ...fill(scene) } : body;
}

/** Routes that carry bare bytes have no schema. */
function bytesOf(
  name: string,
  { blob, upload }: Possessions,
): { headers: Record<string, string>; body?: Buffer } | undefined {
  switch (name) {
    case 'CHUNK_ROUTE':
      return { headers: chunkHeaders(upload), body: CHUNK };
    case 'BYTES_ROUTE':
      return { headers: { [BLOB_HEADER]: blob, range: 'bytes=0-9' } };
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
