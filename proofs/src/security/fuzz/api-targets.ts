/** Every call of the contract, found as `isolation` finds them, and the two addresses to which a browser navigates. */
import { randomUUID } from 'node:crypto';
import { BLOB_HEADER } from '@dostar/protocol/contract/blobs';
import { GOOGLE_COOKIE, GOOGLE_RETURN_PATH } from '@dostar/protocol/contract/google';
import { PICTURE_PATH } from '@dostar/protocol/contract/picture-url';
import { VERSION_HEADER } from '@dostar/protocol/version';
import { makeBody } from '../isolation/bodies.ts';
import { headersOf } from '../isolation/call.ts';
import { validCredentials } from '../isolation/cases.ts';
import { listEndpoints } from '../isolation/contract.ts';
import type { NamedEndpoint } from '../isolation/contract.ts';
import { CHUNK, chunkHeaders } from './owned-resources.ts';
import type { OwnedResources } from './owned-resources.ts';
import type { Fixture } from './fixture-pool.ts';
import type { Base, Target } from './target.ts';

export async function listApiTargets(): Promise<Target[]> {
  return [...(await listEndpoints()).map(toTarget), ...VISITS];
}

function toTarget(named: NamedEndpoint): Target {
  const { method, path } = named.endpoint;
  return {
    name: `${method} ${path}`,
    base(fixture) {
      const { testAccounts, address } = fixture;
      const sent = bytesOf(named.name, fixture.ownedResources);
      const body = sent?.body ?? bodyOf(named, fixture);
      const credentials = {
        ...validCredentials(named, testAccounts),
        address,
        more: { [VERSION_HEADER]: '1', ...sent?.headers },
      };
      return { method, segments: split(path), params: [], query: [], headers: headersOf(credentials, body), body };
    },
  };
}

/** By endpoint name: body fields that refer to resources of the test account. */
const FILLS: Record<string, (fixture: Fixture) => object> = {
  getBackup: ofBackup,
  deleteBackup: (fixture) => ({ ...ofBackup(fixture), forGood: false }),
  restoreBackup: ofBackup,
  putBackupKeys: ofBackup,
  getBackupKeys: (fixture) => ({ ...ofBackup(fixture), names: undefined, after: undefined }),
  finishBlob: ({ ownedResources }) => ({ id: ownedResources.blob }),
  shareBlobs: ({ ownedResources, testAccounts }) => ({
    blobs: [ownedResources.blob],
    account: testAccounts.friend.account,
  }),
  getDeviceTransfer: ofTransfer,
  answerDeviceTransfer: ofTransfer,
  refuseDeviceTransfer: ofTransfer,
  revealDeviceTransfer: ({ ownedResources }) => ({ id: ownedResources.answeredTransfer }),
  redeemInvite: ({ ownedResources }) => ({ act: randomUUID(), token: ownedResources.invite }),
  getSignUpPolicy: ({ ownedResources }) => ({ invite: ownedResources.invite }),
  findUser: ({ ownedResources }) => ({ username: ownedResources.friendName }),
  // Usernames are unique, and each test account changes its own once.
  changeUsername: ({ testAccounts }) => ({ username: `fuzz.${testAccounts.alice.account.slice(0, 8)}` }),
  putVault: () => ({ rev: 0 }),
  putPushTarget: ({ ownedResources }) => ownedResources.subscription,
};

function ofBackup({ ownedResources }: Fixture): object {
  return { version: ownedResources.backup };
}

function ofTransfer({ ownedResources }: Fixture): object {
  return { id: ownedResources.askedTransfer };
}

function bodyOf(named: NamedEndpoint, fixture: Fixture): unknown {
  const body = makeBody(named, fixture.testAccounts);
  const fill = FILLS[named.name];
  return fill ? { ...(body as object), ...fill(fixture) } : body;
}

/** Bodies of routes that take raw bytes and have no schema. */
function bytesOf(
  name: string,
  { blob, upload }: OwnedResources,
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
