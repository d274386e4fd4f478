import type { NamedEndpoint } from './contract.ts';
import { headersFor, needsNewcomer, makeBody } from './bodies.ts';
import { callWith } from './call.ts';
import { CASES, isHeard, rightfulPapers } from './cases.ts';
import type { Cast } from './cases.ts';
import { listValues } from './rows.ts';
import type { Scene } from './scene.ts';

/** Alice does everything once, so that she has something to lose. */
export async function checkRightful(scene: Scene, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const belongings = needsNewcomer(named) ? await scene.makeBelongings() : scene.cast;
    const { auth } = named.endpoint;
    const body = makeBody(named, belongings);
    for (const { url } of needsNewcomer(named) ? scene.apis.slice(0, 1) : scene.apis) {
      const papers = { ...rightfulPapers(named, belongings), more: headersFor(named.name) };
      const { status, error, text } = await callWith(url, named.endpoint, papers, body);
      scene.checks.note(named.name, 'rightful', status);
      scene.checks.that('the rightful caller is heard', isHeard(auth, error), () => `${named.name}: ${status} ${text}`);
    }
  }
}

/** Everybody else is refused with the code of their case, by every process, and nothing of Alice's changes. */
export async function checkRefusals(scene: Scene, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const { auth } = named.endpoint;
    const body = makeBody(named, scene.cast);
    const before = await readAlice(scene);
    for (const { name, refusal, papers } of CASES) {
      const expected = refusal[auth];
      if (expected === undefined) continue;
      for (const { url } of scene.choose()) {
        const sent = { ...papers(scene.cast, rightfulPapers(named, scene.cast)), more: headersFor(named.name) };
        const answer = await callWith(url, named.endpoint, sent, body);
        scene.checks.note(named.name, name, answer.status);
        scene.checks.that(`refused: ${name}`, answer.error === expected, () => {
          return `${named.name} answers ${answer.status} ${answer.text}, not ${expected}`;
        });
      }
    }
    const after = await readAlice(scene);
    scene.checks.that('what is refused changes nothing', isSame(before, after), () => named.name);
  }
}

/** Mallory is somebody too, and may ask: what she gets and changes is her own. */
export async function checkOthers(scene: Scene, endpoints: NamedEndpoint[]): Promise<void> {
  for (const named of endpoints) {
    const { auth } = named.endpoint;
    if (auth === 'anyone' || auth === 'self') continue;
    const body = makeBody(named, scene.cast);
    // New every time: the call may end her session.
    const mallory = await scene.makeBelongings();
    const before = await readAlice(scene);
    const said = JSON.stringify(body ?? '');
    const secrets = listValues(before).filter((value) => !isPublic(scene.cast, value) && !said.includes(value));
    for (const { url } of scene.apis) {
      const papers = { ...rightfulPapers(named, mallory), more: headersFor(named.name) };
      const answer = await callWith(url, named.endpoint, papers, body);
      scene.checks.note(named.name, 'as Mallory', answer.status);
      const leaked = secrets.filter((secret) => answer.text.includes(secret));
      scene.checks.that(
        'nothing of another account is told',
        leaked.length === 0,
        () => `${named.name} tells ${leaked.join(', ')}`,
      );
    }
    const after = await readAlice(scene);
    scene.checks.that('nothing of another account is changed', isSame(before, after), () => {
      return `${named.name} changes ${after.filter((row) => !before.includes(row)).join(' ')} (was ${before.filter((row) => !after.includes(row)).join(' ')})`;
    });
  }
}

async function readAlice({ archive, cast }: Scene): Promise<string[]> {
  const accounts = [cast.alice.account, cast.signUp.account, cast.mailSignUp.account];
  const rows: string[] = [];
  for (const account of accounts) rows.push(...(await archive.readRows(account)));
  return rows;
}

function isSame(before: string[], after: string[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}

/** What both are told on purpose: who is who, and texts that this proof gives everybody alike. */
function isPublic({ alice, friend, signUp }: Cast, value: string): boolean {
  return (
    [alice.account, friend.account, signUp.account].includes(value as never) ||
    value.includes('of the proof') ||
    COMMON.includes(value)
  );
}

const COMMON = ['https://provider.example'];
