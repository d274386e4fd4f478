import { ID, Query } from 'appwrite';
import { expect, raw, refused, same } from './fixture.ts';
import type { Assertion, Person, Fixture } from './fixture.ts';

const WHERE = { databaseId: 'main', collectionId: 'messages' };
const INVALID = 'general_query_invalid';

/** Creates thirty documents that only a new user may read, so that her lists contain no others. */
async function fill(fixture: Fixture): Promise<Person> {
  const person = await fixture.addPerson();
  for (let n = 0; n < 30; n += 1) {
    const data = {
      text: `${n % 2 === 0 ? 'even' : 'odd'} hello ${n}`,
      count: n,
      tags: n % 3 === 0 ? ['three', 'all'] : ['all'],
      ...(n < 10 && { note: `note ${n}` }),
    };
    await person.databases.createDocument({ ...WHERE, documentId: ID.unique(), data });
  }
  return person;
}

let filled: Promise<Person> | undefined;
const everybody = (fixture: Fixture): Promise<Person> => (filled ??= fill(fixture));
export function forgetFilled(): void {
  filled = undefined;
}

async function ask({ databases }: Person, queries: string[]): Promise<{ total: number; counts: number[] }> {
  const { total, documents } = await databases.listDocuments({ ...WHERE, queries });
  return { total, counts: documents.map((document) => (document as unknown as { count: number }).count) };
}

const FILTERS: [name: string, query: string, total: number][] = [
  ['equal', Query.equal('count', 5), 1],
  ['equal, several', Query.equal('count', [1, 2, 99]), 2],
  ['notEqual', Query.notEqual('count', 5), 29],
  ['lessThan', Query.lessThan('count', 5), 5],
  ['lessThanEqual', Query.lessThanEqual('count', 5), 6],
  ['greaterThan', Query.greaterThan('count', 25), 4],
  ['greaterThanEqual', Query.greaterThanEqual('count', 25), 5],
  ['between', Query.between('count', 10, 12), 3],
  ['notBetween', Query.notBetween('count', 10, 12), 27],
  ['isNull', Query.isNull('note'), 20],
  ['isNotNull', Query.isNotNull('note'), 10],
  ['startsWith', Query.startsWith('text', 'even'), 15],
  ['endsWith', Query.endsWith('text', ' 7'), 1],
  ['notStartsWith', Query.notStartsWith('text', 'even'), 15],
  ['notEndsWith', Query.notEndsWith('text', ' 7'), 29],
  ['contains, text', Query.contains('text', 'hello 1'), 11],
  ['contains, array', Query.contains('tags', ['three']), 10],
  ['containsAny', Query.containsAny('tags', ['three', 'all']), 30],
  ['containsAll', Query.containsAll('tags', ['three', 'all']), 10],
  ['notContains', Query.notContains('tags', 'three'), 20],
  ['search', Query.search('text', 'odd'), 15],
  ['createdAfter', Query.createdAfter('2020-01-01T00:00:00.000Z'), 30],
  ['createdBefore', Query.createdBefore('2020-01-01T00:00:00.000Z'), 0],
];

export const QUERIES: Assertion[] = [
  {
    number: 50,
    async run(fixture) {
      const person = await everybody(fixture);
      const { total, counts } = await ask(person, []);
      same([total, counts.length], [30, 25], 'a page');
      same((await ask(person, [Query.limit(10), Query.offset(25)])).counts, [25, 26, 27, 28, 29], 'the rest');
    },
  },
  {
    number: 51,
    async run(fixture) {
      const person = await everybody(fixture);
      for (const [name, query, wanted] of FILTERS) {
        const { total, counts } = await ask(person, [query, Query.limit(100)]);
        same([total, counts.length], [wanted, wanted], name);
      }
    },
  },
  {
    number: 52,
    async run(fixture) {
      const person = await everybody(fixture);
      const nested = Query.or([
        Query.and([Query.lessThan('count', 5), Query.startsWith('text', 'even')]),
        Query.equal('count', 29),
      ]);
      same((await ask(person, [nested])).counts, [0, 2, 4, 29], 'nested');
      await refused(() => ask(person, [Query.or([Query.equal('count', 1)])]), 400, INVALID);
    },
  },
  {
    number: 53,
    async run(fixture) {
      const person = await everybody(fixture);
      const seen: number[] = [];
      const order = [Query.orderDesc('count'), Query.limit(7)];
      let cursor: string[] = [];
      let firstOfThird = '';
      for (let page = 0; page < 10; page += 1) {
        const { documents } = await person.databases.listDocuments({ ...WHERE, queries: [...order, ...cursor] });
        if (documents.length === 0) break;
        if (page === 2) firstOfThird = documents[0]!.$id;
        seen.push(...documents.map((document) => (document as unknown as { count: number }).count));
        cursor = [Query.cursorAfter(documents.at(-1)!.$id)];
      }
      same(
        seen,
        Array.from({ length: 30 }, (_, n) => 29 - n),
        'all, once, in order',
      );
      const before = await ask(person, [...order, Query.cursorBefore(firstOfThird)]);
      same(before.counts, seen.slice(7, 14), 'the page before');
      await refused(() => ask(person, [Query.cursorAfter('nope')]), 400, 'general_cursor_not_found');
      const onNull = [
        Query.orderAsc('note'),
        Query.cursorAfter(
          (await person.databases.listDocuments({ ...WHERE, queries: [Query.isNull('note')] })).documents[0]!.$id,
        ),
      ];
      await refused(() => ask(person, onNull), 400, 'database_query_order_null');
    },
  },
  {
    number: 54,
    async run(fixture) {
      const person = await everybody(fixture);
      const bad = ['not json', '{"method":"nope"}', Query.equal('nope', 1), Query.limit(0), Query.equal('tags', 'x')];
      for (const query of bad) await refused(() => ask(person, [query]), 400, INVALID);
      const many = Array.from({ length: 101 }, () => Query.greaterThan('count', -1));
      await refused(() => ask(person, many), 400, 'general_argument_invalid');
      const path = '/databases/main/collections/messages/documents?queries[0]=%7B';
      same((await raw(fixture, path, {}, person)).status, 400, 'half a query');
    },
  },
  {
    number: 55,
    async run(fixture) {
      const person = await everybody(fixture);
      const { total, documents } = await person.databases.listDocuments({ ...WHERE, queries: [], total: false });
      expect(total === 0 && documents.length === 25, `${total} and ${documents.length}`);
    },
  },
];
