/** Sign-up, sign-in and account management. Loaded when a form is first touched: 130 KB that visitors don't need. */
import { type AccountSettings, createAccountSettings } from '@dostar/client/account';
import { createAuth, type Auth, type AuthDeps } from '@dostar/client/auth';
import { createDeviceChannel, type DeviceChannel } from '@dostar/client/device-channel';
import { createFactors, type Factors } from '@dostar/client/factors';
import { createGoogleAuth, type GoogleAuth } from '@dostar/client/google';
import { createPasskeys, type Passkeys } from '@dostar/client/passkeys';
import { createReauthentication, type Reauthentication } from '@dostar/client/reauthentication';
import { createRecovery, type Recovery } from '@dostar/client/recovery';
import { createAccountUnlock, type AccountUnlock } from '@dostar/client/account-unlock';
import { AccountId } from '@dostar/protocol/ids';
import { browserAuthenticator } from './authenticator.ts';
import { openKeyStore } from './key-store.ts';
import { openOpaque } from './open-opaque.ts';
import { readSession } from './session.ts';

let known: AuthDeps | undefined;
let auth: Auth | undefined;

/** Calls are for the account that this page shows, even if another tab has signed in to another one (SPEC H2). */
function readAccount(): AccountId | undefined {
  const session = readSession();
  return session.status === 'signed-in' ? AccountId.parse(session.account.id) : undefined;
}

function deps(): AuthDeps {
  known ??= {
    baseUrl: location.origin,
    account: readAccount,
    fetch: (input, init) => fetch(input, init),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    keys: openKeyStore(),
    opaque: openOpaque().client,
    // oxlint-disable-next-line no-console -- Logs failed steps of sign-up: codes, never text.
    log: (event, fields) => console.warn(event, fields),
  };
  return known;
}

export function openAuth(): Auth {
  auth ??= createAuth(deps());
  return auth;
}

export function openFactors(): Factors {
  return createFactors(deps());
}

export function openGoogle(): GoogleAuth {
  return createGoogleAuth({ ...deps(), authenticator: browserAuthenticator });
}

export function openReauthentication(): Reauthentication {
  return createReauthentication({ ...deps(), authenticator: browserAuthenticator });
}

export function openPasskeys(): Passkeys {
  return createPasskeys({ ...deps(), authenticator: browserAuthenticator });
}

export function openRecovery(): Recovery {
  return createRecovery(deps());
}

export function openUnlocking(): AccountUnlock {
  return createAccountUnlock({ ...deps(), authenticator: browserAuthenticator });
}

export function openDeviceTransfer(): DeviceChannel {
  return createDeviceChannel(deps());
}

export function openAccountSettings(): AccountSettings {
  return createAccountSettings(deps());
}
