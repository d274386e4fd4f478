import { createHash, randomUUID } from 'node:crypto';
import * as blobs from '@dostar/protocol/contract/blobs';
import { decideContact, findUser, getContacts, listUsers } from '@dostar/protocol/contract/contacts';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { PICTURE_PATH } from '@dostar/protocol/contract/picture-url';
import * as contract from '@dostar/protocol/contract/profile';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import sharp from 'sharp';
import { HEAD_BYTES } from '../src/features/people/profiles/picture-type.ts';
import { listHostile, makePhoto } from './hostile-pictures.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

const dana = { name: 'Dana', lastName: 'Kasymova', address: 'Almaty', phoneNumber: '+7 701 000 00 00' };

function savePersonal(
  person: Person,
  revision: number,
  value: object = dana,
  audience: contract.Audience = 'contacts',
) {
  return cluster.call(contract.saveGroup, person, { group: 'personal', revision, audience, value });
}

function save(person: Person, { group, value }: { group: contract.GroupName; value: unknown }) {
  const change = { group, revision: 0, audience: 'everybody', value };
  // Tests also send values that our programs would not.
  return cluster.call(contract.saveGroup, person, change as never);
}

/** Stores a value as another version of the server would. */
async function store({ account }: Person, value: object): Promise<void> {
  const change = { value: JSON.stringify(value) };
  await cluster.ctx.shards
    .of(account)
    .query((db) => db.updateTable('profile_group').set(change).where('owner', '=', account).execute());
}

async function readOf(viewer: Person, owner: Person): Promise<contract.Projection> {
  return (await cluster.call(contract.readProfile, viewer, { account: owner.account })).body;
}

async function upload(person: Person, bytes: Buffer): Promise<string> {
  const id = randomUUID();
  await cluster.call(blobs.createBlob, person, { id, size: bytes.length });
  const reply = await fetch(new URL(blobs.CHUNK_ROUTE.path, cluster.url), {
    method: 'PUT',
    headers: {
      [CALL_HEADER]: '1',
      cookie: `${SESSION_COOKIE}=${person.token}`,
      'content-type': 'application/octet-stream',
      [blobs.BLOB_HEADER]: id,
      [blobs.CHUNK_HEADER]: '0',
      [blobs.HASH_HEADER]: createHash('sha256').update(bytes).digest('base64url'),
    },
    body: new Uint8Array(bytes),
  });
  expect(reply.status).toBe(200);
  expect(await cluster.call(blobs.finishBlob, person, { id })).toMatchObject({ status: 200 });
  return id;
}

/** Requests the URL as an `<img>` would. */
async function open(address: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(address, cluster.url), { headers: { 'sec-fetch-site': 'same-origin', ...headers } });
}

async function seePicture(viewer: Person, owner: Person): Promise<{ status: number; bytes: Buffer }> {
  const { personal } = await readOf(viewer, owner);
  if (!personal?.picture) return { status: 404, bytes: Buffer.alloc(0) };
  const reply = await open(personal.picture);
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** A JPEG signature followed by text. */
function makePicture(words: string): Buffer {
  return Buffer.concat([Buffer.from('RIFF0000WEBPVP8L\0\0\0\0/'), Buffer.from([63, 193, 74, 0]), Buffer.from(words)]);
}

test('a new account has an empty profile under its name, shown only to its contacts', async () => {
  const alice = await cluster.addNamed(0);
  const { status, body } = await cluster.call(contract.getProfile, alice);
  expect(status).toBe(200);
  expect(body.username).toBe(alice.username);
  expect(body.personal).toEqual({
    revision: 0,
    audience: 'contacts',
    value: { name: '', lastName: '', address: '', phoneNumber: '', picture: null, background: null },
  });
  expect(body.skills).toEqual({ revision: 0, audience: 'nobody', value: { entries: [] } });
  expect(await cluster.call(contract.getProfile, undefined)).toMatchObject({ status: 401 });
});

test('every group is stored as it was saved', async () => {
  const alice = await cluster.addNamed(1);
  const groups = {
    contact: {
      email: 'dana@example.org',
      phones: ['+7 701 000 00 00'],
      links: ['https://example.org/dana'],
      messengers: [{ service: 'Telegram', name: '@dana' }],
    },
    education: { entries: [{ school: 'KazNU', degree: 'BSc', field: 'Physics', from: '2010', to: '2014' }] },
    skills: { entries: [{ name: 'Baking', level: 'expert' }] },
    work: { entries: [{ company: 'Bakery', position: 'Baker', from: '2015', to: '', description: 'Bread.' }] },
  } as const;
  for (const [group, value] of Object.entries(groups)) {
    const answer = await save(alice, { group: group as contract.GroupName, value });
    expect(answer).toMatchObject({ status: 200, body: { revision: 1 } });
  }
  const { body } = await cluster.call(contract.getProfile, alice);
  for (const [group, value] of Object.entries(groups)) {
    expect(body[group]).toEqual({ revision: 1, audience: 'everybody', value });
  }
});

test('of two tabs that read the same revision one saves, and the other is refused', async () => {
  const alice = await cluster.addNamed(0);
  const answers = await Promise.all([
    savePersonal(alice, 0, { ...dana, name: 'One' }),
    savePersonal(alice, 0, { ...dana, name: 'Other' }),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const { body } = await cluster.call(contract.getProfile, alice);
  expect(body.personal.value.name).toBe(answers[0].status === 200 ? 'One' : 'Other');
  expect(await savePersonal(alice, 7)).toMatchObject({ status: 409, body: { error: 'stale_revision' } });
  expect(await savePersonal(alice, 1)).toMatchObject({ status: 200, body: { revision: 2 } });
});

test('a save keeps the fields that it leaves out, also those that only a newer version knows', async () => {
  const alice = await cluster.addNamed(0);
  await savePersonal(alice, 0);
  const stored = { ...dana, nickname: 'Danochka' };
  await store(alice, stored);
  expect(await savePersonal(alice, 1, { name: 'Dinara', address: '' })).toMatchObject({ body: { revision: 2 } });
  const { value } = await cluster.ctx.shards
    .of(alice.account)
    .query((db) =>
      db.selectFrom('profile_group').select('value').where('owner', '=', alice.account).executeTakeFirstOrThrow(),
    );
  expect(value).toEqual({ ...stored, name: 'Dinara', address: '' });
});

test('a picture that a save leaves out stays', async () => {
  const alice = await cluster.addNamed(0);
  const bytes = makePicture('stays');
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, bytes) });
  await savePersonal(alice, 1, { name: 'Dinara' });
  expect(await seePicture(alice, alice)).toEqual({ status: 200, bytes });
});

test('a stored field that this version cannot read is empty, and the others stay', async () => {
  const alice = await cluster.addNamed(0);
  await savePersonal(alice, 0);
  await store(alice, { ...dana, phoneNumber: ['+7 701 000 00 00'] });
  expect((await readOf(alice, alice)).personal).toMatchObject({ ...dana, phoneNumber: '' });
});

test('impossible values are refused', async () => {
  const alice = await cluster.addNamed(0);
  expect(await savePersonal(alice, 0, { ...dana, phoneNumber: 'call me' })).toMatchObject({ status: 400 });
  expect(await savePersonal(alice, 0, { ...dana, name: 'x'.repeat(121) })).toMatchObject({ status: 400 });
  const school = { school: 'KazNU', degree: '', field: '', from: '2014', to: '2010' };
  const wrong: Parameters<typeof save>[1][] = [
    { group: 'education', value: { entries: [school] } },
    { group: 'contact', value: { links: ['javascript:alert(1)'] } },
    { group: 'work', value: { entries: [{ company: ' ' }] } },
    { group: 'skills', value: { entries: [{ name: 'Baking', level: 'divine' }] } },
  ];
  for (const change of wrong) expect(await save(alice, change), change.group).toMatchObject({ status: 400 });
});

test('others can read a group only if they belong to its audience', async () => {
  const [alice, friend, stranger] = [await cluster.addNamed(0), await cluster.addNamed(1), await cluster.addNamed(1)];
  const nothing = { personal: null, contact: null, education: null, skills: null, work: null };
  await cluster.befriend(alice, friend);
  await savePersonal(alice, 0);
  const shown = { ...nothing, personal: { ...dana, picture: null, background: null } };
  expect(await readOf(friend, alice)).toEqual(shown);
  expect(await readOf(stranger, alice)).toEqual(nothing);

  await savePersonal(alice, 1, dana, 'everybody');
  expect(await readOf(stranger, alice)).toEqual(shown);
  await cluster.call(decideContact, alice, { act: randomUUID(), peer: stranger.account, decision: 'block' });
  expect(await readOf(stranger, alice)).toEqual(nothing);

  await savePersonal(alice, 2, dana, 'nobody');
  expect(await readOf(friend, alice)).toEqual(nothing);
  expect(await readOf(alice, alice)).toEqual(shown);
  expect(await readOf(alice, { account: randomUUID() as never, token: '' })).toEqual(nothing);
});

test('a user with a pending request shows nothing to the requester', async () => {
  const [alice, hopeful] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await savePersonal(alice, 0);
  await cluster.call(decideContact, hopeful, { act: randomUUID(), peer: alice.account, decision: 'accept' });
  expect((await readOf(hopeful, alice)).personal).toBeNull();
  await cluster.call(decideContact, alice, { act: randomUUID(), peer: hopeful.account, decision: 'accept' });
  expect((await readOf(hopeful, alice)).personal).toMatchObject({ name: 'Dana' });
});

test('a picture is visible to the audience of its group, and is deleted with its reference', async () => {
  const [alice, friend, stranger] = [await cluster.addNamed(0), await cluster.addNamed(1), await cluster.addNamed(0)];
  await cluster.befriend(alice, friend);
  const [first, second] = [makePicture('first'), makePicture('second')];
  const picture = await upload(alice, first);
  await savePersonal(alice, 0, { ...dana, picture });
  expect(await seePicture(friend, alice)).toEqual({ status: 200, bytes: first });
  expect(await seePicture(stranger, alice)).toMatchObject({ status: 404 });

  await savePersonal(alice, 1, { ...dana, picture: await upload(alice, second) });
  expect((await seePicture(friend, alice)).bytes).toEqual(second);
  expect(await savePersonal(alice, 2, { ...dana, picture })).toMatchObject({ status: 404 });
  await savePersonal(alice, 2, { ...dana, picture: null });
  expect(await seePicture(friend, alice)).toMatchObject({ status: 404 });
});

test('a contact is listed under the name and with the photo they show', async () => {
  const [alice, friend, stranger] = [await cluster.addNamed(0), await cluster.addNamed(1), await cluster.addNamed(1)];
  await cluster.befriend(alice, friend);
  const picture = await upload(alice, makePicture('me'));
  await savePersonal(alice, 0, { ...dana, picture });
  const { body: listed } = await cluster.call(getContacts, friend);
  const address = (await readOf(friend, alice)).personal?.picture;
  expect(address).toMatch(/^\/api\/profile\/picture\?token=/);
  expect(listed.users[0]).toMatchObject({ id: alice.account, name: 'Dana Kasymova', picture: address });
  const { body: named } = await cluster.call(listUsers, friend, { accounts: [alice.account] });
  expect(named.users[0]).toMatchObject({ name: 'Dana Kasymova', picture: address });
  const { body: found } = await cluster.call(findUser, stranger, { username: alice.username });
  expect(found.user).toEqual({ id: alice.account, username: alice.username, publicKey: 'key' });
});

/** How many days the service worker of a browser keeps it. */
function daysKept({ headers }: Response): number {
  return (Date.parse(headers.get('expires')!) - Date.now()) / 86_400_000;
}

test('the URL of a picture reveals nothing and stays the same; the HTTP cache does not store it', async () => {
  const [alice, friend] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, friend);
  const picture = await upload(alice, makePicture('kept'));
  await savePersonal(alice, 0, { ...dana, picture });
  const address = (await readOf(friend, alice)).personal!.picture!;
  expect((await readOf(friend, alice)).personal!.picture).toBe(address);
  const { body: own } = await cluster.call(contract.getProfile, alice);
  expect(own.addresses.picture).not.toBe(address);
  expect(own.addresses.background).toBeNull();
  const inside = Buffer.from(new URL(address, cluster.url).searchParams.get('token')!, 'base64url').toString('latin1');
  for (const id of [alice.account, friend.account, picture]) expect(`${address} ${inside}`).not.toContain(id);
  const reply = await open(address);
  expect(reply.headers.get('cache-control')).toBe('private, no-store');
  expect(daysKept(reply)).toBeGreaterThan(6.9);
  expect(daysKept(reply)).toBeLessThanOrEqual(14);
  expect(reply.headers.get('content-type')).toBe('image/webp');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a list gets a small photo in a format that the browser accepts', async () => {
  const alice = await cluster.addNamed(0);
  const photo = await makePhoto(900, 700);
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, photo) });
  const address = (await readOf(alice, alice)).personal!.picture!;
  const accepted = {
    'image/avif,image/webp,image/apng,*/*;q=0.8': 'image/avif',
    'image/webp,*/*': 'image/webp',
    'image/avif;q=0, image/webp': 'image/webp',
    'image/png,*/*;q=0.5': 'image/jpeg',
  };
  for (const [accept, type] of Object.entries(accepted)) {
    const reply = await open(`${address}&small`, { accept });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('vary')).toContain('Accept');
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    expect(daysKept(reply)).toBeGreaterThan(6.9);
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect(bytes.length).toBeLessThan(photo.length / 4);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 112, height: 112 });
  }
  const whole = await open(address, { accept: 'image/avif' });
  expect([whole.headers.get('content-type'), whole.headers.get('vary') ?? '']).toEqual(['image/jpeg', '']);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(photo);
});

test("a photo that can't be rendered is returned unchanged, with a short cache time", async () => {
  const alice = await cluster.addNamed(0);
  const broken = makePicture('only its first bytes are those of a picture');
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, broken) });
  const reply = await open(`${(await readOf(alice, alice)).personal!.picture!}&small`, { accept: 'image/webp' });
  expect(daysKept(reply) * 86_400).toBeLessThanOrEqual(300);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(broken);
});

test('the server returns no picture with too many pixels, neither full size nor small', async () => {
  const alice = await cluster.addNamed(0);
  const { bytes } = (await listHostile()).find(({ name }) => name === 'bomb-of-one-line.png')!;
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, bytes) });
  const address = (await readOf(alice, alice)).personal!.picture!;
  expect((await open(address)).status).toBe(404);
  expect((await open(`${address}&small`)).status).toBe(404);
});

test("a photo that can't be rendered is tried once, not at every request", async () => {
  const alice = await cluster.addNamed(0);
  const broken = makePicture('again only its first bytes'.padEnd(HEAD_BYTES));
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, broken) });
  const address = (await readOf(alice, alice)).personal!.picture!;
  using reads = vi.spyOn(cluster.ctx.blobs, 'read');
  const looks = 3;
  for (let n = 0; n < looks; n += 1) expect((await open(`${address}&small`)).status).toBe(200);
  const whole = reads.mock.calls.filter(([, , to]) => to === broken.length - 1);
  expect(whole).toHaveLength(looks + 1);
});

test('while a photo is being rendered it is returned unchanged, and small afterwards', async () => {
  const alice = await cluster.addNamed(0);
  const photo = await makePhoto(800, 800);
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, photo) });
  const address = `${(await readOf(alice, alice)).personal!.picture!}&small`;
  const { promise: isLooked, resolve: goOn } = Promise.withResolvers<void>();
  const read = cluster.ctx.blobs.read.bind(cluster.ctx.blobs);
  let isFirst = true;
  using _ = vi.spyOn(cluster.ctx.blobs, 'read').mockImplementation(async function* readSlowly(blob, from, to) {
    const isDrawn = isFirst && to === photo.length - 1;
    if (isDrawn) isFirst = false;
    if (isDrawn) await isLooked;
    yield* read(blob, from, to);
  });
  const whole = await open(address, { accept: 'image/webp' });
  expect(daysKept(whole) * 86_400).toBeLessThanOrEqual(300);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(photo);
  goOn();
  const look = async (): Promise<number> => {
    const reply = await open(address, { accept: 'image/webp' });
    return (await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).width;
  };
  await expect.poll(look, { timeout: 60_000 }).toBe(112);
});

test('a picture URL is refused for viewers without access, for other sites, and if it was changed', async () => {
  const [alice, friend] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, friend);
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, makePicture('mine')) });
  const address = (await readOf(friend, alice)).personal!.picture!;
  expect((await open(address)).status).toBe(200);
  expect((await open(address, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  // Changes its first character, because the last bits of base64 may be unused.
  const changed = address.replace(/token=(.)/, (_, first: string) => `token=${first === 'A' ? 'B' : 'A'}`);
  expect((await open(changed)).status).toBe(404);
  expect((await open(`${address}&small`)).status).toBe(200);
  await cluster.call(decideContact, alice, { act: randomUUID(), peer: friend.account, decision: 'block' });
  expect((await open(address)).status).toBe(404);
  expect((await open(`${address}&small`)).status).toBe(404);
});

test('a file that is not a picture is never served, even if a profile names it', async () => {
  const alice = await cluster.addNamed(0);
  await savePersonal(alice, 0, { ...dana, picture: await upload(alice, Buffer.from('<script>alert(1)</script>')) });
  expect(await seePicture(alice, alice)).toMatchObject({ status: 404 });
});

test('guesses of picture URLs are rate-limited', async () => {
  const from = { 'x-forwarded-for': '203.0.113.77' };
  const statuses = new Set<number>();
  for (let tried = 0; tried < 130; tried += 1) {
    statuses.add((await open(`${PICTURE_PATH}?token=guess${tried}`, from)).status);
  }
  expect([...statuses]).toEqual([404, 429]);
});

test('no profile shows a picture that another account uploaded', async () => {
  const [alice, mallory] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const picture = await upload(alice, Buffer.from('mine'));
  expect(await savePersonal(mallory, 0, { ...dana, picture })).toMatchObject({ status: 404 });
});
