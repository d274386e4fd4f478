/** Calls about the account's own profile. Only the screens that edit it load this file. */
import * as blobs from '@dostar/protocol/contract/blobs';
import * as contract from '@dostar/protocol/contract/profile';
import type { z } from 'zod';
import { type CallDeps, createCall } from '../account/call.ts';

export type GroupChange = z.input<typeof contract.saveGroup.body>;

export interface ProfileApi {
  get(): Promise<contract.Profile>;
  /** Returns the new revision; throws `stale_revision` if another device was faster. */
  save(input: GroupChange): Promise<number>;
  isUsernameFree(username: string): Promise<boolean>;
  /** Throws `username_taken`. */
  changeUsername(username: string): Promise<string>;
  /**
   * Begins the upload of a picture, which ends with `finishPicture`. It belongs to the profile once a saved group names
   * it.
   */
  beginPicture(id: blobs.BlobId, size: number): Promise<void>;
  finishPicture(id: blobs.BlobId): Promise<void>;
  /** Deletes an uploaded picture that no group names. */
  dropPicture(id: blobs.BlobId): Promise<void>;
}

export function createProfileApi(deps: CallDeps): ProfileApi {
  const call = createCall(deps);
  return {
    get: () => call(contract.getProfile, undefined),
    async save(input) {
      return (await call(contract.saveGroup, input)).revision;
    },
    async isUsernameFree(username) {
      return (await call(contract.checkUsername, { username })).isFree;
    },
    async changeUsername(username) {
      return (await call(contract.changeUsername, { username })).username;
    },
    async beginPicture(id, size) {
      await call(blobs.createBlob, { id, size });
    },
    async finishPicture(id) {
      await call(blobs.finishBlob, { id });
    },
    async dropPicture(id) {
      await call(blobs.deleteBlob, { id });
    },
  };
}
