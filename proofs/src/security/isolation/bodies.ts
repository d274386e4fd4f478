/**
 * Bodies that Alice sends. Most are generated from their schema; this file has those that name her data, so that the
 * same body sent by Mallory asks for that data.
 */
import { BLOB_HEADER, CHUNK_HEADER, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import { directChat } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import { makeExample } from './example.ts';
import type { NamedEndpoint } from './contract.ts';
import { randomEmail } from './test-accounts.ts';
import { randomSubscription } from './push-target.ts';
import type { OpaqueMessages, Person, SignUp } from './test-accounts.ts';

export interface TestAccounts {
  alice: Person;
  /** Alice in another browser. */
  second: Person;
  friend: Person;
  /** Token of a sign-in that still needs a second factor. */
  pendingToken: string;
  /** A sign-up whose address a provider has verified. */
  signUp: SignUp;
  /** A sign-up whose address a code has to verify. */
  mailSignUp: SignUp;
  opaque: OpaqueMessages;
}

type Fill = (testAccounts: TestAccounts) => Record<string, unknown>;

const ofUser: Fill = ({ alice }) => ({ userId: alice.account });
const ofAddress: Fill = ({ mailSignUp }) => ({ email: mailSignUp.email });
const ofFriend: Fill = ({ friend }) => ({ peer: friend.account });
const registration: Fill = ({ opaque }) => ({ request: opaque.registration });
const login: Fill = ({ opaque }) => ({ request: opaque.login });

/** By endpoint name: fields that override the generated example. `undefined` removes one. */
const FILLS: Record<string, Fill> = {
  startSignUp: ({ opaque }) => ({ email: randomEmail(), request: opaque.registration }),
  sendCode: ofAddress,
  verifyCode: ofAddress,
  verifyUser: ofUser,
  deleteUser: ofUser,
  storeUser: ofUser,
  updateUser: ({ alice }) => ({ documentId: alice.account }),
  startLogin: ({ opaque }) => ({ email: randomEmail(), request: opaque.login }),
  startPasswordReauthentication: login,
  startOldPasswordCheck: login,
  putRecoveryWrap: () => ({ wrap: { method: 'recovery', params: 'none', blob: 'eHg' } }),
  startPasswordReset: registration,
  finishPasswordReset: ({ opaque }) => ({ record: opaque.record, setup: undefined }),
  startPasswordChange: registration,
  startGooglePassword: registration,
  recordSignUp: ({ opaque }) => ({ record: opaque.record }),
  finishPasswordChange: ({ opaque }) => ({
    record: opaque.record,
    setup: undefined,
    endOthers: false,
    renewal: undefined,
  }),
  revokeSessions: ({ second }) => ({ session: second.session }),
  sendMessage: ({ friend }) => ({ to: friend.account, devices: undefined }),
  checkRecipient: ({ friend }) => ({ to: friend.account }),
  eraseMessage: ({ alice, friend }) => ({
    chat: directChat(alice.account, friend.account),
    target: { sender: alice.account, id: alice.session },
    everywhere: friend.account,
  }),
  listChat: ({ alice, friend }) => ({ chat: directChat(alice.account, friend.account), before: 1000 }),
  queryKeys: ({ alice }) => ({ device_keys: { [userOf(alice.account)]: [] } }),
  putDehydratedDevice: () => ({ heard: undefined }),
  listDeletedDevices: ({ alice }) => ({ users: [userOf(alice.account)] }),
  saveGroup: () => ({
    group: 'personal',
    revision: 0,
    audience: 'contacts',
    value: { name: 'Alice for her friends only', lastName: '', address: '', phoneNumber: '' },
  }),
  // No other body requests this username.
  changeUsername: () => ({ username: 'alice.of.the.proof' }),
  readProfile: ({ alice }) => ({ account: alice.account }),
  putPushTarget: () => randomSubscription(),
  markRead: ofFriend,
  decideContact: ofFriend,
  changeContact: ofFriend,
  reportAccount: ofFriend,
  listUsers: ({ alice }) => ({ accounts: [alice.account] }),
  uploadKeys: ({ alice }) => ({
    device_keys: {
      user_id: userOf(alice.account),
      device_id: alice.device,
      algorithms: [],
      keys: {},
      signatures: {},
    },
    one_time_keys: undefined,
    fallback_keys: undefined,
  }),
  uploadSigningKeys: ({ alice }) => ({
    master_key: { user_id: userOf(alice.account), usage: ['master'], keys: {} },
    self_signing_key: undefined,
    user_signing_key: undefined,
  }),
  renewDevice: ({ alice }) => ({ device: alice.device }),
  renameDevice: ({ alice }) => ({ device: alice.device }),
};

export function makeBody({ name, endpoint }: NamedEndpoint, testAccounts: TestAccounts): unknown {
  if (endpoint.body === undefined) return undefined;
  const example = makeExample(endpoint.body, name);
  const fill = FILLS[name];
  if (!fill) return example;
  const body = { ...(example as object), ...fill(testAccounts) };
  const parsed = endpoint.body.safeParse(JSON.parse(JSON.stringify(body)));
  if (!parsed.success) throw new Error(`bodies.ts makes no body for ${name}: ${parsed.error.message}`);
  return body;
}

/** Headers of routes that carry raw bytes and name their subject in headers. */
export function headersFor(name: string): Record<string, string> {
  const blob = { [BLOB_HEADER]: '7f000000-0000-4000-8000-000000000001' };
  switch (name) {
    case 'CHUNK_ROUTE':
      return {
        ...blob,
        [CHUNK_HEADER]: '0',
        [HASH_HEADER]: 'A'.repeat(43),
        'content-type': 'application/octet-stream',
      };
    case 'BYTES_ROUTE':
      return blob;
    default:
      return {};
  }
}

/** Endpoints about codes need the sign-up with an unverified address. */
export function ticketFor(name: string, { signUp, mailSignUp }: TestAccounts): string {
  return ['getSignUp', 'sendCode', 'verifyCode'].includes(name) ? mailSignUp.ticket : signUp.ticket;
}

/** True for calls that change or end the caller's account or session, and for calls of new users. */
export function needsNewcomer({ name }: NamedEndpoint): boolean {
  return OF_NEWCOMERS.includes(name);
}

const OF_NEWCOMERS = [
  'renewDevice',
  'sendReauthenticationCode',
  'verifyReauthenticationCode',
  'verifyFactor',
  'deleteUser',
  'revokeCurrentSession',
  'revokeSessions',
  'createAccount',
  'startFirstSession',
  'updateUser',
  'linkGoogle',
];

/** Endpoints that this file names. A test checks that they exist, so that a renamed one is noticed. */
export const SPECIAL_ENDPOINTS = [...Object.keys(FILLS), ...OF_NEWCOMERS];
