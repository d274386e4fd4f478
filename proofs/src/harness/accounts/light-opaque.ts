/** OPAQUE with cheap password stretching, for proofs that are not about guessing. */
import { createOpaqueClient } from '@dostar/client/opaque';
import type { OpaqueClient } from '@dostar/client/opaque';
import * as library from '@serenity-kit/opaque';

const LIGHT = { keyStretching: { 'argon2id-custom': { memory: 8, iterations: 1, parallelism: 1 } } };

export const lightOpaque: OpaqueClient = createOpaqueClient(async () => ({
  ...library,
  client: {
    ...library.client,
    finishRegistration: (params) => library.client.finishRegistration({ ...params, ...LIGHT }),
    finishLogin: (params) => library.client.finishLogin({ ...params, ...LIGHT }),
  },
}));
