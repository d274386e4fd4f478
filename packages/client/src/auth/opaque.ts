/**
 * The browser's side of OPAQUE. The password goes in here and nowhere else; what comes out proves it to the server and
 * derives the key that unlocks the account.
 *
 * Stretching a password takes a third of a second of one core: a page hands in a proxy to a worker.
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

/** RFC 9106's second choice. Named here and stored with the record, so a server can't talk the client into less. */
const KEY_STRETCHING = { 'argon2id-custom': { memory: 65_536, iterations: 3, parallelism: 4 } } as const;
export const STRETCHING_NAME = 'argon2id 65536 3 4';

/** Loads the library on first use: 130 KB that a visitor who does not sign in never needs. */
export function createOpaqueClient(
  load: () => Promise<typeof Library> = () => import('@serenity-kit/opaque'),
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
        keyStretching: KEY_STRETCHING,
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
      const done = client.finishLogin({ password, clientLoginState, loginResponse, keyStretching: KEY_STRETCHING });
      return done && { finish: done.finishLoginRequest, exportKey: done.exportKey };
    },
  };
}
