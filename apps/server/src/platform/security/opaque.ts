/**
 * The server's side of OPAQUE: it checks a password it never sees.
 *
 * The setup is a secret of the installation. Whoever holds it and the database can guess passwords offline; whoever
 * loses it makes every password useless. So it lies in a file outside both, and its name is stored with each record.
 */
import { createHash, createHmac } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import * as library from '@serenity-kit/opaque';

export interface OpaqueServer {
  /** The name of the setup, safe to store and to show. */
  readonly setup: string;
  answerRegistration(userIdentifier: string, request: string): string;
  /** Without a record the answer looks as if there were one. */
  startLogin(userIdentifier: string, record: string | undefined, request: string): { state: string; response: string };
  /** False for a wrong password. */
  finishLogin(state: string, finish: string): boolean;
  /** For an address without an account: the same for every probe of it, as a real one would be. */
  identifierOf(email: string): string;
}

export async function createSetup(): Promise<string> {
  await library.ready;
  return library.server.createSetup();
}

export async function openOpaque(serverSetup: string): Promise<OpaqueServer> {
  await library.ready;
  const { server } = library;
  return {
    setup: createHash('sha256').update(serverSetup).digest('base64url').slice(0, 12),
    answerRegistration(userIdentifier, registrationRequest) {
      return refuseNonsense(() => {
        const request = { serverSetup, userIdentifier, registrationRequest };
        return server.createRegistrationResponse(request).registrationResponse;
      });
    },
    startLogin(userIdentifier, registrationRecord, startLoginRequest) {
      const request = { serverSetup, userIdentifier, registrationRecord, startLoginRequest };
      const started = refuseNonsense(() => server.startLogin(request));
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
      return createHmac('sha256', serverSetup).update(`unknown ${email}`).digest('base64url');
    },
  };
}

/** Of a program without OPAQUE_SETUP, which must not come to any password. */
export const noOpaque: OpaqueServer = {
  get setup(): string {
    return refuse();
  },
  answerRegistration: refuse,
  startLogin: refuse,
  finishLogin: refuse,
  identifierOf: refuse,
};

function refuse(): never {
  throw new Error('OPAQUE_SETUP is missing');
}

/** What the library can't read was made up by whoever sent it, and is no fault of ours to be woken up for. */
function refuseNonsense<T>(task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw new AppError('invalid_request', undefined, { cause: error });
  }
}
