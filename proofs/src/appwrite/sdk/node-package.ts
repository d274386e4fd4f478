/** The package for servers brings its own fetch, so the fixture does not see its requests. */
import { randomBytes } from 'node:crypto';
import { Account, AppwriteException, Client, Databases, ID, Storage } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { API_KEY, PROJECT } from './service-definition.ts';
import { expect, same } from './fixture.ts';
import type { Assertion } from './fixture.ts';

const SIZE = 12 * 1024 * 1024;

/** Uploads and downloads a file and creates a document, with the given client. */
async function work(client: Client): Promise<void> {
  const bytes = randomBytes(SIZE);
  const storage = new Storage(client);
  const one = { bucketId: 'files', fileId: ID.unique() };
  const file = await storage.createFile({ ...one, file: InputFile.fromBuffer(bytes, 'noise.bin') });
  same([file.chunksTotal, file.chunksUploaded, file.sizeOriginal], [3, 3, SIZE], 'uploaded');
  expect(Buffer.from(await storage.getFileDownload(one)).equals(bytes), 'the download is byte-identical');
  const document = { databaseId: 'main', collectionId: 'messages', documentId: ID.unique() };
  const put = await new Databases(client).upsertDocument({ ...document, data: { text: 'put' } });
  same([put.$id, (put as unknown as { text: string }).text], [document.documentId, 'put'], 'document');
  await storage.deleteFile(one);
}

export const NODE_PACKAGE: Assertion[] = [
  {
    number: 75,
    async run({ endpoint, alice }) {
      const makeClient = (): Client => new Client().setEndpoint(endpoint).setProject(PROJECT);
      const withKey = makeClient().setKey(API_KEY);
      const { email, password } = alice;
      const { secret } = await new Account(withKey).createEmailPasswordSession({ email, password });
      expect(secret.length > 40, 'a caller with the API key gets the secret');
      const asAlice = makeClient().setSession(secret);
      same((await new Account(asAlice).get()).$id, alice.user.$id, 'the account that it acts for');
      await work(asAlice);
      await work(withKey);
      const both = await new Account(makeClient().setKey(API_KEY).setSession(secret))
        .get()
        .catch((why: unknown) => why);
      expect(both instanceof AppwriteException, 'key and session together are refused');
      same([both.code, both.type], [403, 'user_api_key_and_session_set'], 'refusal');
    },
  },
];
