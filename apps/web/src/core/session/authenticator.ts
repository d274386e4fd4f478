import { type Authenticator, PRF_INPUT } from '@dostar/client/authenticator';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

interface PrfOutput {
  prf?: { enabled?: boolean; results?: { first?: ArrayBuffer | ArrayBufferView<ArrayBuffer> } };
}

/** Passed to the browser unchanged: the library converts only the options that it knows from text to bytes. */
const extensions = { prf: { eval: { first: PRF_INPUT } } };

export const browserAuthenticator: Authenticator = {
  async create(options) {
    const optionsJSON = { ...options, extensions } as PublicKeyCredentialCreationOptionsJSON;
    const made = await undefinedIfCancelled(startRegistration({ optionsJSON }));
    if (!made) return undefined;
    const { id, rawId, response } = made;
    const { clientDataJSON, attestationObject, transports } = response;
    const { prf } = made.clientExtensionResults as PrfOutput;
    return {
      response: {
        id,
        rawId,
        type: 'public-key',
        response: { clientDataJSON, attestationObject, ...(transports && { transports: [...transports] }) },
      },
      canDerive: prf?.enabled === true,
      derived: readDerived({ prf }),
    };
  },

  async get(options) {
    const optionsJSON = { ...options, extensions } as PublicKeyCredentialRequestOptionsJSON;
    const got = await undefinedIfCancelled(startAuthentication({ optionsJSON }));
    if (!got) return undefined;
    const { id, rawId, response } = got;
    const { authenticatorData, clientDataJSON, signature, userHandle } = response;
    return {
      response: {
        id,
        rawId,
        type: 'public-key',
        response: { authenticatorData, clientDataJSON, signature, ...(userHandle && { userHandle }) },
      },
      derived: readDerived(got.clientExtensionResults as PrfOutput),
    };
  },
};

function readDerived({ prf }: PrfOutput | { prf: PrfOutput['prf'] | undefined }): Uint8Array<ArrayBuffer> | undefined {
  const first = prf?.results?.first;
  if (first === undefined) return undefined;
  return first instanceof ArrayBuffer
    ? new Uint8Array(first)
    : new Uint8Array(first.buffer, first.byteOffset, first.byteLength).slice();
}

/** A person who closes the browser's dialog has cancelled, which is not an error. */
async function undefinedIfCancelled<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined;
    throw error;
  }
}
