import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openService, type ServiceClient, uploadFile } from './service-client.ts';
import { readServiceSettings } from './service-settings.ts';
import { sessionStore } from '../session/session.ts';

const settings = { endpoint: 'http://localhost/v1', project: 'dostar' };
const anna = { id: '01a3b7c2-0000-4000-8000-000000000001', username: 'anna', name: undefined };

let fetched: ReturnType<typeof vi.fn>;
beforeEach(() => {
  fetched = vi.fn(() => Promise.reject(new Error('nobody is called here')));
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  sessionStore.write({ status: 'signed-out' });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the service client', () => {
  it('exists if an endpoint and a project are configured', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const found = readServiceSettings({ VITE_SERVICE_ENDPOINT: '/v1', VITE_SERVICE_PROJECT: 'dostar' });
    expect(found).toEqual({ endpoint: `${location.origin}/v1`, project: 'dostar' });
    expect(openService(found!).storage).toBeDefined();
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    {},
    { VITE_SERVICE_ENDPOINT: '/v1' },
    { VITE_SERVICE_PROJECT: 'dostar' },
    { VITE_SERVICE_ENDPOINT: '', VITE_SERVICE_PROJECT: 'dostar' },
  ])('is not there without one of them, and the console says why: %o', (told) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(readServiceSettings(told)).toBeUndefined();
    expect(warn.mock.calls).toEqual([['[Appwrite] Missing endpoint or project ID']]);
  });
});

type Call = (service: ServiceClient, given: never) => unknown;
const document = { databaseId: 'main', collectionId: 'messages', documentId: 'one', data: {} };
const createDocument: Call = ({ databases }, given) => databases.createDocument(given);
const subscriber = { topicId: 'news', subscriberId: 'one', targetId: 'two' };
const createSubscriber: Call = ({ messaging }, given) => messaging.createSubscriber(given);
const file = { bucketId: 'pictures', fileId: 'one', file: new File([], 'empty.png') };
const createFile: Call = ({ storage }, given) => storage.createFile(given);

describe('a call without a required parameter', () => {
  it.each([
    ...Object.keys(document).map((missing) => ({ missing, call: createDocument, given: document })),
    ...Object.keys(subscriber).map((missing) => ({ missing, call: createSubscriber, given: subscriber })),
    ...Object.keys(file).map((missing) => ({ missing, call: createFile, given: file })),
  ])('fails at once and names it: $missing', ({ missing, call, given }) => {
    const service = openService(settings);
    const incomplete = { ...given, [missing]: undefined };
    expect(() => call(service, incomplete as never)).toThrow(`Missing required parameter: "${missing}"`);
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('a file', () => {
  const picture = new File(['x'], 'x.png');

  it('is not sent without a user', async () => {
    const createOne = vi.fn();
    const storage = { createFile: createOne } as never;
    await expect(uploadFile({ storage }, picture)).rejects.toThrow(/^There is not user state in pinia$/);
    expect(createOne).not.toHaveBeenCalled();
  });

  it('counts as not uploaded if the server returns nothing', async () => {
    sessionStore.write({ status: 'signed-in', account: anna });
    const storage = { createFile: () => Promise.resolve(undefined) } as never;
    await expect(uploadFile({ storage }, picture)).rejects.toThrow(/^File is not uploaded$/);
  });

  it('is returned once it is uploaded', async () => {
    sessionStore.write({ status: 'signed-in', account: anna });
    const createOne = vi.fn(() => Promise.resolve({ $id: 'made' }));
    await expect(uploadFile({ storage: { createFile: createOne } as never }, picture)).resolves.toEqual({
      $id: 'made',
    });
    expect(createOne).toHaveBeenCalledWith({ bucketId: 'pictures', fileId: expect.any(String), file: picture });
  });
});
