/** This device's push subscription, as the server knows it (SPEC N1). */
import * as contract from '@dostar/protocol/contract/push';
import { AppError } from '@dostar/protocol/errors';
import type { z } from 'zod';
import { type CallDeps, createCall } from '../account/call.ts';

export type PushTarget = z.infer<typeof contract.putPushTarget.body>;
type PushToken = z.infer<typeof contract.putPushToken.body>;

export interface PushApi {
  /** What a browser subscribes with; null where the operator has switched push off. */
  getKey(): Promise<string | null>;
  /** In place of the one this device had. */
  put(target: PushTarget): Promise<void>;
  /** What a browser needs to know of the operator's project at Firebase; null where there is none. */
  getCloud(): Promise<contract.FirebaseSettings | null>;
  /** In place of a subscription. False where the operator sends none that way. */
  putToken(target: PushToken): Promise<boolean>;
  remove(): Promise<void>;
  /** One push to this device. */
  test(): Promise<void>;
}

export function createPushApi(deps: CallDeps): PushApi {
  const call = createCall(deps);
  return {
    async getKey() {
      return (await call(contract.getPushKey, undefined)).key;
    },
    async put(target) {
      await call(contract.putPushTarget, target);
    },
    async getCloud() {
      return (await call(contract.getFirebaseSettings, undefined)).settings;
    },
    async putToken(target) {
      try {
        await call(contract.putPushToken, target);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      }
    },
    async remove() {
      await call(contract.removePushTarget, undefined);
    },
    async test() {
      await call(contract.testPush, undefined);
    },
  };
}
