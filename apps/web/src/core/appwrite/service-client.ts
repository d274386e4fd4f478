/** The official client of the Appwrite-compatible API. Loaded with the features that use it. */
import { Account, Client, Databases, ID, Messaging, type Models, Storage } from 'appwrite';
import type { ServiceSettings } from './service-settings.ts';
import { readSession } from '../session/session.ts';

/** The bucket of profile pictures; the owner of a picture decides who may read it. */
export const PICTURES = 'pictures';

export interface ServiceClient {
  account: Account;
  databases: Databases;
  messaging: Messaging;
  storage: Storage;
}

export function openService(settings: ServiceSettings): ServiceClient {
  const client = new Client().setEndpoint(settings.endpoint).setProject(settings.project);
  return {
    account: new Account(client),
    databases: new Databases(client),
    messaging: new Messaging(client),
    storage: new Storage(client),
  };
}

/** Uploads a file with the default permissions, its owner's. The specification prescribes the error texts. */
export async function uploadFile({ storage }: Pick<ServiceClient, 'storage'>, file: File): Promise<Models.File> {
  if (readSession().status !== 'signed-in') throw new Error('There is not user state in pinia');
  const made = (await storage.createFile({ bucketId: PICTURES, fileId: ID.unique(), file })) as Models.File | undefined;
  if (!made) throw new Error('File is not uploaded');
  return made;
}
