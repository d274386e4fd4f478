import type { NamedEndpoint } from './contract.ts';
import { headersFor, needsNewcomer, makeBody } from './bodies.ts';
import { callWith } from './call.ts';
import { CASES, isHeard, validCredentials } from './cases.ts';
import type { AttackAccounts } from './cases.ts';
import { listValues } from './rows.ts';
import type { Fixture } from './fixture.ts';

/** Alice calls every endpoint once, so that she has data to lose. */
export async function checkAuthorized(fixture: Fixture, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const testAccounts = needsNewcomer(named) ? await fixture.createTestAccounts() : fixture.attackAccounts;
    const { auth } = named.endpoint;
    const body = makeBody(named, testAccounts);
    for (const { url } of needsNewcomer(named) ? fixture.apis.slice(0, 1) : fixture.apis) {
      const credentials = { ...validCredentials(named, testAccounts), more: headersFor(named.name) };
      const { status, error, text } = await callWith(url, named.endpoint, credentials, body);
      fixture.checks.note(named.name, 'rightful', status);
      fixture.checks.that(
        'the rightful caller is accepted',
        isHeard(auth, error),
        () => `${named.name}: ${status} ${text}`,
      );
    }
  }
}

/** All other callers are refused with the code of their case, and no row of Alice changes. */
export async function checkRefusals(fixture: Fixture, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const { auth } = named.endpoint;
    const body = makeBody(named, fixture.attackAccounts);
    const before = await readAlice(fixture);
    for (const { name, refusal, credentials } of CASES) {
      const expected = refusal[auth];
      if (expected === undefined) continue;
      for (const { url } of fixture.choose()) {
        const sent = {
          ...credentials(fixture.attackAccounts, validCredentials(named, fixture.attackAccounts)),
          more: headersFor(named.name),
        };
        const answer = await callWith(url, named.endpoint, sent, body);
        fixture.checks.note(named.name, name, answer.status);
        fixture.checks.that(`refused: ${name}`, answer.error === expected, () => {
          return `${named.name} answers ${answer.status} ${answer.text}, not ${expected}`;
        });
      }
    }
    const after = await readAlice(fixture);
    fixture.checks.that('a refused call changes nothing', isSame(before, after), () => named.name);
  }
}

/** Mallory calls every endpoint with her own account and Alice's bodies: she gets and changes only her own data. */
export async function checkOthers(fixture: Fixture, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const { auth } = named.endpoint;
    if (auth === 'anyone' || auth === 'self') continue;
    const body = makeBody(named, fixture.attackAccounts);
    // A new account for each endpoint, because the call may end its session.
    const mallory = await fixture.createTestAccounts();
    const before = await readAlice(fixture);
    const said = JSON.stringify(body ?? '');
    const secrets = listValues(before).filter(
      (value) => !isPublic(fixture.attackAccounts, value) && !said.includes(value),
    );
    for (const { url } of fixture.apis) {
      const credentials = { ...validCredentials(named, mallory), more: headersFor(named.name) };
      const answer = await callWith(url, named.endpoint, credentials, body);
      fixture.checks.note(named.name, 'as Mallory', answer.status);
      const leaked = secrets.filter((secret) => answer.text.includes(secret));
      fixture.checks.that(
        'no answer has data of another account',
        leaked.length === 0,
        () => `${named.name} tells ${leaked.join(', ')}`,
      );
    }
    const after = await readAlice(fixture);
    fixture.checks.that('no call changes another account', isSame(before, after), () => {
      return `${named.name} changes ${after.filter((row) => !before.includes(row)).join(' ')} (was ${before.filter((row) => !after.includes(row)).join(' ')})`;
    });
  }
}

async function readAlice({ rowReader, attackAccounts }: Fixture): Promise<string[]> {
  const accounts = [attackAccounts.alice.account, attackAccounts.signUp.account, attackAccounts.mailSignUp.account];
  const rows: string[] = [];
  for (const account of accounts) rows.push(...(await rowReader.readRows(account)));
  return rows;
}

function isSame(before: string[], after: string[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}

/** Values that both may know: ids in the request, and texts that this proof gives all accounts. */
function isPublic({ alice, friend, signUp }: AttackAccounts, value: string): boolean {
  return (
    [alice.account, friend.account, signUp.account].includes(value as never) ||
    value.includes('of the proof') ||
    COMMON.includes(value)
  );
}

const COMMON = ['https://provider.example'];
