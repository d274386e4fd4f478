import type {
  CreationOptions,
  CreationResponse,
  RequestOptions,
  AssertionResponse,
} from '@dostar/protocol/contract/passkeys';

/**
 * The input of a passkey's key derivation. It is the same for all accounts: each passkey has its own secret, and a
 * sign-in without an email address doesn't know the account yet.
 */
export const PRF_INPUT = new TextEncoder().encode('dostar account-key 1');

/** The browser's passkeys. Undefined if the person cancelled its dialog. */
export interface Authenticator {
  create(options: CreationOptions): Promise<CreatedPasskey | undefined>;
  get(options: RequestOptions): Promise<PasskeyAssertion | undefined>;
}

export interface CreatedPasskey {
  response: CreationResponse;
  /** Whether the passkey can derive a key. Some authenticators return the key only at the next request. */
  canDerive: boolean;
  derived: Uint8Array<ArrayBuffer> | undefined;
}

export interface PasskeyAssertion {
  response: AssertionResponse;
  /** What the passkey derived from `PRF_INPUT`. Never leaves the browser. */
  derived: Uint8Array<ArrayBuffer> | undefined;
}
