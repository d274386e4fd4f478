import { ID, Permission, Query, Role } from 'appwrite';
import type { Models } from 'appwrite';
import { expect, raw, refused, same } from './fixture.ts';
import type { Assertion, Person } from './fixture.ts';

const WHERE = { databaseId: 'main', collectionId: 'messages' };
const ARGUMENT = 'general_argument_invalid';
const STRUCTURE = 'document_invalid_structure';

type Found = Models.Document & Record<string, unknown>;

async function create(
  { databases }: Pick<Person, 'databases'>,
  data: Record<string, unknown>,
  permissions?: string[],
  documentId = ID.unique(),
): Promise<Found> {
  return databases.createDocument({
    ...WHERE,
    documentId,
    data,
    ...(permissions && { permissions }),
  });
}

export const DOCUMENTS: Assertion[] = [
  {
    number: 37,
    async run({ alice, last }) {
      const id = ID.unique();
      const made = await create(alice, { text: 'hello' }, undefined, id);
      same(last().status, 201, 'status');
      same([made.$id, made.$collectionId, made.$databaseId], [id, 'messages', 'main'], 'where it is');
      same(typeof made.$sequence, 'string', 'its number');
      const own = Role.user(alice.user.$id);
      same(made.$permissions, [Permission.read(own), Permission.update(own), Permission.delete(own)], 'permissions');
      same([made['text'], made['note'], made['tags']], ['hello', null, null], 'attributes');
      expect(made.$createdAt.endsWith('+00:00') && made.$createdAt === made.$updatedAt, 'times');
    },
  },
  {
    number: 38,
    async run({ alice }) {
      const { $id } = await create(alice, { text: 'one' });
      await refused(() => create(alice, { text: 'two' }, undefined, $id), 409, 'document_already_exists');
    },
  },
  {
    number: 39,
    async run({ alice }) {
      await refused(() => create(alice, {}), 400, 'document_missing_data');
      await refused(() => create(alice, { text: 'a', other: 1 }), 400, STRUCTURE);
      await refused(() => create(alice, { note: 'a' }), 400, STRUCTURE);
      await refused(() => create(alice, { text: 5 }), 400, STRUCTURE);
      await refused(() => create(alice, { text: 'a', count: 'five' }), 400, STRUCTURE);
      await refused(() => create(alice, { text: 'a', tags: 'one' }), 400, STRUCTURE);
    },
  },
  {
    number: 40,
    async run({ alice }) {
      const { $id: documentId } = await create(alice, { text: 'a', note: 'b' });
      const found = await alice.databases.getDocument({ ...WHERE, documentId, queries: [Query.select(['text'])] });
      const names = Object.keys(found).filter((name) => !name.startsWith('$'));
      same(names, ['text'], 'attributes');
      same(Object.keys(found).length, 8, 'members');
    },
  },
  {
    number: 41,
    async run({ alice }) {
      const get = (databaseId: string, collectionId: string) => () =>
        alice.databases.getDocument({ databaseId, collectionId, documentId: 'nope' });
      await refused(get('main', 'messages'), 404, 'document_not_found');
      await refused(get('main', 'nope'), 404, 'collection_not_found');
      await refused(get('nope', 'messages'), 404, 'database_not_found');
    },
  },
  {
    number: 42,
    async run({ alice }) {
      const made = await create(alice, { text: 'a', note: 'b', tags: ['x'] });
      const one = { ...WHERE, documentId: made.$id };
      const changed = (await alice.databases.updateDocument({ ...one, data: { note: 'c' } })) as Found;
      same([changed['text'], changed['note'], changed['tags']], ['a', 'c', ['x']], 'merged');
      same([changed.$createdAt, changed.$permissions], [made.$createdAt, made.$permissions], 'kept');
      expect(changed.$updatedAt > made.$updatedAt, 'it was updated');
      const same1 = await alice.databases.updateDocument({ ...one, data: { note: 'c' } });
      same(same1.$updatedAt, changed.$updatedAt, 'a change that is none');
      await refused(() => alice.databases.updateDocument(one), 400, 'document_missing_payload');
      const unknown = () => alice.databases.updateDocument({ ...WHERE, documentId: 'nope', data: { note: 'c' } });
      await refused(unknown, 404, 'document_not_found');
    },
  },
  {
    number: 43,
    async run({ alice, last }) {
      const one = { ...WHERE, documentId: ID.unique() };
      const made = await alice.databases.upsertDocument({ ...one, data: { text: 'a', note: 'b' } });
      same(last().status, 200, 'status');
      const put = (await alice.databases.upsertDocument({ ...one, data: { text: 'c' } })) as Found;
      same([put['text'], put['note']], ['c', 'b'], 'attributes');
      same([put.$createdAt, put.$sequence], [made.$createdAt, made.$sequence], 'kept');
      await refused(() => alice.databases.upsertDocument({ ...one, data: { note: 'd' } }), 400, STRUCTURE);
    },
  },
  {
    number: 44,
    async run({ alice, last }) {
      const { $id: documentId } = await create(alice, { text: 'a' });
      same(await alice.databases.deleteDocument({ ...WHERE, documentId }), { message: '' }, 'result');
      same(last().status, 204, 'status');
      await refused(() => alice.databases.deleteDocument({ ...WHERE, documentId }), 404, 'document_not_found');
    },
  },
  {
    number: 45,
    async run({ alice, bob }) {
      const { $id: documentId } = await create(alice, { text: 'private' });
      const one = { ...WHERE, documentId };
      await refused(() => bob.databases.getDocument(one), 404, 'document_not_found');
      await refused(() => bob.databases.updateDocument({ ...one, data: { text: 'b' } }), 401, 'user_unauthorized');
      await refused(() => bob.databases.deleteDocument(one), 401, 'user_unauthorized');
      const seen = await bob.databases.listDocuments({ ...WHERE, queries: [Query.equal('$id', documentId)] });
      same([seen.total, seen.documents.length], [0, 0], 'what Bob sees');
    },
  },
  {
    number: 46,
    async run({ alice, guest }) {
      await refused(() => create(guest, { text: 'a' }), 401, 'user_unauthorized');
      const closed = { databaseId: 'main', collectionId: 'closed' };
      await refused(() => guest.databases.listDocuments(closed), 401, 'user_unauthorized');
      same((await alice.databases.listDocuments(closed)).total, 0, 'what Alice sees');
      const write = () => alice.databases.createDocument({ ...closed, documentId: ID.unique(), data: { text: 'a' } });
      await refused(write, 401, 'user_unauthorized');
    },
  },
  {
    number: 47,
    async run({ alice, guest }) {
      const own = Role.user(alice.user.$id);
      const made = await create(alice, { text: 'open' }, [Permission.read(Role.any()), Permission.write(own)]);
      same(made.$permissions, ['read("any")', Permission.update(own), Permission.delete(own)], 'permissions');
      const seen = (await guest.databases.getDocument({ ...WHERE, documentId: made.$id })) as Found;
      same(seen['text'], 'open', 'what a guest reads');
      await refused(() => create(alice, { text: 'a' }, [Permission.create(own)]), 400, ARGUMENT);
      // The lists of later assertions would contain it too.
      await alice.databases.deleteDocument({ ...WHERE, documentId: made.$id });
    },
  },
  {
    number: 48,
    async run({ alice, bob }) {
      for (const role of [Role.user(bob.user.$id), Role.guests()]) {
        await refused(() => create(alice, { text: 'a' }, [Permission.read(role)]), 401, 'user_unauthorized');
      }
    },
  },
  {
    number: 49,
    async run({ alice }) {
      for (const text of ['read(any)', 'foo("any")', 'read("role:x")', 'read("user")', 'read("users:x")']) {
        await refused(() => create(alice, { text: 'a' }, [text]), 400, ARGUMENT);
      }
    },
  },
  {
    number: 56,
    async run(fixture) {
      const big = 9_007_199_254_740_993n;
      const made = await create(fixture.alice, { text: 'a', big });
      expect(made['big'] === big, `as a bigint: ${String(made['big'])}`);
      const path = `/databases/main/collections/messages/documents/${made.$id}`;
      const text = await (await raw(fixture, path, {}, fixture.alice)).text();
      expect(text.includes('"big":9007199254740993'), 'and bare on the wire');
      const found = await fixture.alice.databases.listDocuments({
        ...WHERE,
        queries: [Query.equal('big', big as never)],
      });
      same(found.total, 1, 'and found by it');
    },
  },
];
