/**
 * The browser's side of OPAQUE. The password never leaves this module; its result proves the password to the server and
 * derives the key that unwraps the account key.
 *
 * Stretching a password takes a third of a second of one core, so a page passes a proxy to a worker.
 */
import type * as Library from '@serenity-kit/opaque';

interface Registration {
  record: string;
  exportKey: string;
}

export interface OpaqueClient {
  startRegistration(password: string): Promise<{ state: string; request: string }>;
  finishRegistration(password: string, state: string, response: string): Promise<Registration>;
  startLogin(password: string): Promise<{ state: string; request: string }>;
  /** Undefined for a wrong password. */
  finishLogin(
    password: string,
    state: string,
    response: string,
  ): Promise<{ finish: string; exportKey: string } | undefined>;
}

/** Settings of Argon2id; memory in KiB. */
export interface Stretching {
  memory: number;
  iterations: number;
  parallelism: number;
}

/**
 * How passwords are stretched, newest first: sign-up uses the first, and sign-in tries them in order. So a stronger
 * setting can be added at the front, and older passwords stay valid. The client defines them and not the server, which
 * could ask for weaker ones. The weakest is RFC 9106's second choice.
 */
const STRETCHINGS: readonly [Stretching, ...Stretching[]] = [{ memory: 65_536, iterations: 3, parallelism: 4 }];
export const STRETCHING_NAME = `argon2id ${Object.values(STRETCHINGS[0]).join(' ')}`;

/** Loads the library on first use: 130 KB that a visitor who does not sign in never needs. */
export function createOpaqueClient(
  load: () => Promise<typeof Library> = () => import('@serenity-kit/opaque'),
  stretchings = STRETCHINGS,
): OpaqueClient {
  let loading: Promise<typeof Library> | undefined;
  const library = (): Promise<typeof Library> => (loading ??= load().then(async (it) => (await it.ready, it)));
  return {
    async startRegistration(password) {
      const { client } = await library();
      const { clientRegistrationState, registrationRequest } = client.startRegistration({ password });
      return { state: clientRegistrationState, request: registrationRequest };
    },
    async finishRegistration(password, clientRegistrationState, registrationResponse) {
      const { client } = await library();
      const done = client.finishRegistration({
        password,
        clientRegistrationState,
        registrationResponse,
        keyStretching: { 'argon2id-custom': stretchings[0] },
      });
      return { record: done.registrationRecord, exportKey: done.exportKey };
    },
    async startLogin(password) {
      const { client } = await library();
      const { clientLoginState, startLoginRequest } = client.startLogin({ password });
      return { state: clientLoginState, request: startLoginRequest };
    },
    async finishLogin(password, clientLoginState, loginResponse) {
      const { client } = await library();
      for (const stretching of stretchings) {
        const keyStretching = { 'argon2id-custom': stretching };
        const done = client.finishLogin({ password, clientLoginState, loginResponse, keyStretching });
        if (done) return { finish: done.finishLoginRequest, exportKey: done.exportKey };
      }
      return undefined;
    },
  };
}
