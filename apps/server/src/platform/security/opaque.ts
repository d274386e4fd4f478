/**
 * The server's side of OPAQUE: it checks a password it never sees.
 *
 * The setup is a secret of the installation. With it and the database passwords can be guessed
 * offline; without it no password works. It is kept in a file apart from both, and its name is stored with each record:
 * a new setup registers passwords, and older ones check those that were registered with them.
 */
import { createHash, createHmac } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import * as library from '@serenity-kit/opaque';

interface RegisteredPassword {
  record: string;
  /** The name of the setup that it was registered with. */
  setup: string;
}

export interface OpaqueServer {
  /** The name of the setup that registers passwords; safe to store and to show. */
  readonly setup: string;
  /** Whether passwords of that setup can be checked. */
  knows(setup: string): boolean;
  answerRegistration(userIdentifier: string, request: string): string;
  /** Without a record the answer looks as if there were one. */
  startLogin(
    userIdentifier: string,
    record: RegisteredPassword | undefined,
    request: string,
  ): { state: string; response: string };
  /** False for a wrong password. */
  finishLogin(state: string, finish: string): boolean;
  /** For an address without an account: the same for every probe of it, as a real one would be. */
  identifierOf(email: string): string;
}

export async function createSetup(): Promise<string> {
  await library.ready;
  return library.server.createSetup();
}

/** The newest setup comes first. */
export async function openOpaque(setups: readonly string[]): Promise<OpaqueServer> {
  await library.ready;
  const { server } = library;
  const byName = new Map(setups.map((setup) => [nameSetup(setup), setup]));
  const [newest = '', oldest = newest] = [setups[0], setups.at(-1)];
  return {
    setup: nameSetup(newest),
    knows: (setup) => byName.has(setup),
    answerRegistration(userIdentifier, registrationRequest) {
      return rejectMalformed(() => {
        const request = { serverSetup: newest, userIdentifier, registrationRequest };
        return server.createRegistrationResponse(request).registrationResponse;
      });
    },
    startLogin(userIdentifier, registered, startLoginRequest) {
      // For an unknown address the oldest: its answers stay the same when a setup is added, as those of an account do.
      const serverSetup = registered ? byName.get(registered.setup) : oldest;
      // The operator restored a database without its secret.
      if (serverSetup === undefined) throw new AppError('unavailable');
      const registrationRecord = registered?.record;
      const request = { serverSetup, userIdentifier, registrationRecord, startLoginRequest };
      const started = rejectMalformed(() => server.startLogin(request));
      return { state: started.serverLoginState, response: started.loginResponse };
    },
    finishLogin(serverLoginState, finishLoginRequest) {
      try {
        server.finishLogin({ serverLoginState, finishLoginRequest });
        return true;
      } catch {
        return false;
      }
    },
    identifierOf(email) {
      return createHmac('sha256', oldest).update(`unknown ${email}`).digest('base64url');
    },
  };
}

/** Twelve characters of its hash. */
export function nameSetup(setup: string): string {
  return createHash('sha256').update(setup).digest('base64url').slice(0, 12);
}

/** For a program without OPAQUE_SETUP: every use is an error. */
export const noOpaque: OpaqueServer = {
  get setup(): string {
    return refuse();
  },
  knows: refuse,
  answerRegistration: refuse,
  startLogin: refuse,
  finishLogin: refuse,
  identifierOf: refuse,
};

function refuse(): never {
  throw new Error('OPAQUE_SETUP is missing');
}

/** Input that the library can't read is the caller's fault, not an internal error. */
function rejectMalformed<T>(task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw new AppError('invalid_request', undefined, { cause: error });
  }
}
