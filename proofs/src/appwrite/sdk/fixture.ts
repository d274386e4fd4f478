/** Several users in one process, each with a client of the unmodified package, and the server's last reply. */
import { Account, AppwriteException, Client, Databases, ID, Storage } from 'appwrite';
import type { Models } from 'appwrite';
import { ORIGIN } from '../../harness/lib/servers.ts';
import type { Inbox } from '../../harness/accounts/inbox.ts';
import { PROJECT } from './service-definition.ts';

export interface Person {
  client: Client;
  account: Account;
  storage: Storage;
  databases: Databases;
  user: Models.User;
  email: string;
  password: string;
  secret: string;
}

/** Services outside the server. */
export interface Outside {
  inbox: Inbox;
  /** The stand-in for Google. */
  issuer: string;
}

export interface Fixture extends Outside {
  endpoint: string;
  guest: Omit<Person, 'user' | 'email' | 'password' | 'secret'>;
  alice: Person;
  bob: Person;
  /** Creates a user and signs in. */
  addPerson: () => Promise<Person>;
  makeClient: (project?: string) => Client;
  /** The last reply, as received. */
  last: () => Response;
  /** The number of requests so far. */
  made: () => number;
}

export const PASSWORD = 'correct horse';

export async function createFixture(url: string, outside: Outside): Promise<Fixture> {
  const endpoint = `${url}/v1`;
  const wire = watchWire();

  function makeClient(project = PROJECT): Client {
    return new Client().setEndpoint(endpoint).setProject(project);
  }

  async function addPerson(): Promise<Person> {
    const client = makeClient();
    const account = new Account(client);
    const email = `${ID.unique()}@example.org`;
    const user = await account.create({ userId: ID.unique(), email, password: PASSWORD });
    await account.createEmailPasswordSession({ email, password: PASSWORD });
    const secret = secretOf(wire.last());
    client.setSession(secret);
    return {
      client,
      account,
      storage: new Storage(client),
      databases: new Databases(client),
      user,
      email,
      password: PASSWORD,
      secret,
    };
  }

  const client = makeClient();
  const guest = {
    client,
    account: new Account(client),
    storage: new Storage(client),
    databases: new Databases(client),
  };
  const [alice, bob] = [await addPerson(), await addPerson()];
  return { ...outside, endpoint, guest, alice, bob, addPerson, makeClient, ...wire };
}

/** Signs in to the account with another client. */
export async function signIn({ makeClient, last }: Fixture, email: string, password = PASSWORD): Promise<Account> {
  const client = makeClient();
  const account = new Account(client);
  await account.createEmailPasswordSession({ email, password });
  client.setSession(secretOf(last()));
  return account;
}

export function secretOf(answer: Response): string {
  const fallback = JSON.parse(answer.headers.get('x-fallback-cookies') ?? '{}') as Record<string, string>;
  return fallback[`a_session_${PROJECT}`] ?? '';
}

/** Replaces `fetch`: the package reads the global at each call. */
function watchWire(): Pick<Fixture, 'last' | 'made'> {
  const original = globalThis.fetch;
  let newest: Response | undefined;
  let made = 0;
  globalThis.fetch = async (...args) => {
    made += 1;
    const answer = await original(...args);
    newest = answer.clone();
    if (answer.headers.has('x-appwrite-warning')) throw new Error('an answer carries a warning');
    return answer;
  };
  return { last: () => newest!, made: () => made };
}

/** Expects a rejection (or an exception) with this status and type, and returns it. */
export async function refused(task: () => unknown, code: number, type: string): Promise<AppwriteException> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof AppwriteException)) throw error;
    const said = `${error.code} ${error.type}`;
    if (said !== `${code} ${type}`) throw new Error(`${said} instead of ${code} ${type}`, { cause: error });
    return error;
  }
  throw new Error(`no refusal, instead of ${code} ${type}`);
}

export function expect(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

export function same(found: unknown, wanted: unknown, what: string): void {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  expect(one === other, `${what}: ${one} instead of ${other}`);
}

/** Calls the API without the package, for requests that the package cannot make. */
export async function raw(fixture: Fixture, path: string, init: RequestInit = {}, person?: Person): Promise<Response> {
  return fetch(fixture.endpoint + path, {
    ...init,
    headers: {
      'x-appwrite-project': PROJECT,
      ...(person && { 'x-appwrite-session': person.secret }),
      ...(init.headers as Record<string, string>),
    },
  });
}

export { ORIGIN };

export interface Assertion {
  number: number;
  run: (fixture: Fixture) => Promise<void>;
}
