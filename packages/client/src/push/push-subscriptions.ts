/** This device's push subscription, as the server knows it (SPEC N1). */
import * as contract from '@dostar/protocol/contract/push';
import { AppError } from '@dostar/protocol/errors';
import type { z } from 'zod';
import { type CallDeps, createCall } from '../account/call.ts';

export type PushTarget = z.infer<typeof contract.putPushTarget.body>;
type PushToken = z.infer<typeof contract.putPushToken.body>;

export interface PushApi {
  /** The server's key that a browser subscribes with; null if the operator has switched push off. */
  getKey(): Promise<string | null>;
  /** Replaces this device's subscription. */
  put(target: PushTarget): Promise<void>;
  /** The settings of the operator's Firebase project; null if there is none. */
  getCloud(): Promise<contract.FirebaseSettings | null>;
  /** Registers a token instead of a subscription. False if the operator does not send pushes through Firebase. */
  putToken(target: PushToken): Promise<boolean>;
  remove(): Promise<void>;
  /** Sends one push to this device. */
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
