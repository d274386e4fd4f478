/**
 * Routes whose valid input of this proof is refused, and why. Their inputs still pass authentication, limits and the
 * schema. `isolation`, `sdk`, `secrets` and the tests of the server call these routes successfully.
 */
const REASONS: [why: string, routes: string[]][] = [
  [
    'needs a secret from an email or an authenticator app',
    [
      'POST /api/auth/sign-up/enter',
      'POST /api/verify-code',
      'POST /api/links/confirm',
      'POST /api/links/look',
      'POST /api/auth/factors/confirm',
      'POST /api/auth/factors/give',
      'POST /api/auth/prove/email/give',
      'POST /api/auth/prove/factor/give',
      'POST /api/auth/recovery/finish',
      'POST /api/auth/recovery/start',
      'PUT /v1/account/verifications/email',
      'PUT /v1/account/verification',
      'PUT /v1/account/recovery',
      'PUT /v1/account/mfa/challenges',
      'PUT /v1/account/mfa/challenge',
      'PUT /v1/account/mfa/authenticators/:type',
      'DELETE /v1/account/mfa/authenticators/:type',
      'GET /v1/account/mfa/recovery-codes',
      'PATCH /v1/account/mfa/recovery-codes',
    ],
  ],
  [
    'needs the second message of a handshake with a password or a passkey',
    [
      'POST /api/auth/login/finish',
      'POST /api/auth/login/passkey/finish',
      'POST /api/auth/passkeys/finish',
      'POST /api/auth/prove/passkey/finish',
      'POST /api/auth/prove/password/finish',
      'POST /api/auth/old-password/lock',
      'POST /api/auth/old-password/open',
    ],
  ],
  [
    'the people here have no password, verified address, second factor, passkey or picture',
    [
      'POST /api/auth/login/start',
      'POST /api/auth/factors/recovery-codes',
      'POST /api/auth/factors/send',
      'POST /api/auth/factors/code/start',
      'POST /api/auth/passkeys/rename',
      'POST /api/auth/prove/email/send',
      'POST /api/auth/prove/factor/send',
      'POST /api/auth/prove/passkey/start',
      'POST /api/auth/prove/password/start',
      'POST /api/auth/recovery/ask',
      'POST /api/auth/wraps/password',
      'POST /api/auth/start-fresh',
      'POST /api/auth/old-password/start',
      'GET /api/profile/picture',
      'POST /v1/account/mfa/challenges',
      'POST /v1/account/mfa/challenge',
    ],
  ],
  [
    'no provider is configured',
    [
      'POST /api/auth/google/link',
      'POST /api/auth/google/start',
      'PUT /api/push/token',
      'GET /v1/account/sessions/oauth2/:provider',
      'GET /v1/account/tokens/oauth2/:provider',
      'GET /v1/account/sessions/oauth2/callback/google/:project',
      'POST /v1/account/sessions/token',
    ],
  ],
  [
    'needs keys that a device has signed',
    [
      'POST /api/keys/upload',
      'POST /api/keys/signing',
      'GET /api/dehydrated',
      'POST /api/dehydrated/events',
      'POST /api/dehydrated/put',
    ],
  ],
  [
    'needs three steps before it by the same two devices, after which none of the other steps can be made',
    ['POST /api/auth/hand-over/seal'],
  ],
];

export const UNSUCCESSFUL = new Map(REASONS.flatMap(([why, routes]) => routes.map((route) => [route, why] as const)));
