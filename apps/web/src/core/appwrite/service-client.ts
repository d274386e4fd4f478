/** The official client of the hosted-service surface. Loaded with what asks for it. */
import { Account, Client, Databases, ID, Messaging, type Models, Storage } from 'appwrite';
import type { ServiceSettings } from './service-settings.ts';
import { readSession } from '../session/session.ts';

/** Where pictures of people lie, each for those whom its owner lets. */
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

/** With the permissions that a file has by default: its owner's. The sentences are the specification's. */
export async function uploadFile({ storage }: Pick<ServiceClient, 'storage'>, file: File): Promise<Models.File> {
  if (readSession().status !== 'signed-in') throw new Error('There is not user state in pinia');
  const made = (await storage.createFile({ bucketId: PICTURES, fileId: ID.unique(), file })) as Models.File | undefined;
  if (!made) throw new Error('File is not uploaded');
  return made;
}
