/** Makes an input from a valid request: changes body, query, path, headers and HTTP syntax at random. */
import { breakText, changeText, mutateTree } from './mutate.ts';
import { oddText } from './odd-values.ts';
import type { Random } from './random.ts';
import type { Base, Input } from './target.ts';
import type { Request } from './wire.ts';
import { toTree, writeJson } from './write-json.ts';

/** Share of the inputs in which each part is changed. */
const SHARE = { body: 0.8, brokenText: 0.12, query: 0.25, param: 0.3, header: 0.2, stranger: 0.15, http: 0.06 };

const CREDENTIALS = [
  'cookie',
  'x-appwrite-session',
  'x-appwrite-key',
  'x-appwrite-jwt',
  'x-appwrite-project',
  'x-dostar',
  'origin',
];
const COMMON_HEADERS = [
  'accept-language',
  'content-range',
  'content-type',
  'cookie',
  'if-none-match',
  'origin',
  'range',
  'sec-fetch-site',
  'user-agent',
  'x-appwrite-id',
  'x-dostar-version',
  'x-fallback-cookies',
  'x-forwarded-for',
  'x-request-id',
];
const CONTENT_TYPES = [
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/jsonp',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
];

export function makeRequest(random: Random, base: Base, marker: string, isChanged = true): Omit<Input, 'index'> {
  const headers = new Map(Object.entries(base.headers));
  headers.set('user-agent', `proof ${marker}`);
  let { query, segments } = base;
  let isAuthorized = true;
  let body = base.body instanceof Uint8Array ? Buffer.from(base.body) : writeBody(base.body);
  if (body && !headers.has('content-type')) headers.set('content-type', 'application/json');
  if (isChanged) {
    if (base.body !== undefined && random.chance(SHARE.body)) body = changeBody(random, base.body, marker);
    if (random.chance(SHARE.query)) query = changeQuery(random, query, marker);
    if (base.params.length > 0 && random.chance(SHARE.param)) segments = changeParam(random, base, marker);
    if (random.chance(SHARE.header)) changeHeader(random, headers, marker);
    if (random.chance(SHARE.stranger)) isAuthorized = !changeCaller(random, headers, marker);
  }
  const request: Request = {
    method: base.method,
    path: writePath(segments, query),
    headers: [
      ['host', 'localhost'],
      ...[...headers].map(([name, value]): [string, string] => [name, writeHeader(value)]),
    ],
    body,
    isBroken: false,
  };
  const length: [string, string][] = body ? [['content-length', String(body.length)]] : [];
  request.headers.push(...length);
  if (isChanged && random.chance(SHARE.http)) changeHttp(random, request, marker);
  return { request, isAuthorized: isAuthorized && !request.isBroken };
}

function writeBody(body: unknown): Buffer | undefined {
  return body === undefined ? undefined : Buffer.from(writeJson(body));
}

function changeBody(random: Random, body: unknown, marker: string): Buffer {
  if (body instanceof Uint8Array) {
    const text = Buffer.from(body).toString('latin1');
    return random.chance(0.5)
      ? Buffer.from(changeText(random, text, marker), 'latin1')
      : breakText(random, text, marker);
  }
  const text = writeJson(mutateTree(random, toTree(body), marker));
  return random.chance(SHARE.brokenText) ? breakText(random, text, marker) : Buffer.from(text);
}

function changeQuery(random: Random, query: [string, string][], marker: string): [string, string][] {
  const changed = query.map(([name, value]): [string, string] => {
    if (random.chance(0.5)) return [name, value];
    return [name, value.startsWith('{') ? changeJsonText(random, value, marker) : changeText(random, value, marker)];
  });
  if (changed.length > 1 && random.chance(0.2)) changed.splice(random.below(changed.length), 1);
  if (changed.length > 0 && random.chance(0.1)) changed.push(...Array.from({ length: 120 }, () => changed[0]!));
  if (query.length === 0 || random.chance(0.3)) {
    changed.push([
      random.pick(['q', 'queries[]', '__proto__', 'project', 'token', 'state', 'total', marker]),
      oddText(random, marker).slice(0, 4_000),
    ]);
  }
  return changed;
}

function changeJsonText(random: Random, text: string, marker: string): string {
  const tree = writeJson(mutateTree(random, toTree(JSON.parse(text)), marker));
  return random.chance(SHARE.brokenText) ? breakText(random, tree, marker).toString() : tree;
}

function changeParam(random: Random, { segments, params }: Base, marker: string): string[] {
  const changed = [...segments];
  const at = random.pick(params);
  changed[at] = changeText(random, changed[at]!, marker).slice(0, 2_000);
  return changed;
}

function changeHeader(random: Random, headers: Map<string, string>, marker: string): void {
  const own = [...headers.keys()].filter((name) => !CREDENTIALS.includes(name));
  const name = random.pick(random.chance(0.6) && own.length > 0 ? own : COMMON_HEADERS);
  if (CREDENTIALS.includes(name) && headers.has(name)) {
    headers.set(name, `${headers.get(name)}; fuzz=${oddText(random, marker).slice(0, 1_000)}`);
    return;
  }
  if (name === 'content-type') headers.set(name, random.pick(CONTENT_TYPES));
  else headers.set(name, changeText(random, headers.get(name) ?? '', marker).slice(0, 6_000));
}

/** Removes or fakes a header that identifies the caller. Returns false if there is none. */
function changeCaller(random: Random, headers: Map<string, string>, marker: string): boolean {
  const given = CREDENTIALS.filter((name) => headers.has(name));
  if (given.length === 0) return false;
  const name = random.pick(given);
  if (random.chance(0.5)) headers.delete(name);
  else
    headers.set(
      name,
      name === 'cookie'
        ? `__Host-session=${oddText(random, marker).slice(0, 2_000)}`
        : oddText(random, marker).slice(0, 2_000),
    );
  return true;
}

/** Changes the HTTP message itself: its method, length and lines. */
function changeHttp(random: Random, request: Request, marker: string): void {
  const set = (name: string, value: string): void => {
    request.headers = [...request.headers.filter(([known]) => known !== name), [name, value]];
  };
  request.isBroken = true;
  switch (random.below(9)) {
    case 0:
      request.method = random.pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', marker]);
      return;
    case 1:
      return set('content-length', random.pick(['10737418240', '99999999999999999999', '-1', '1e3', '0x10', marker]));
    case 2:
      return set('content-length', String((request.body?.length ?? 0) + 100));
    case 3:
      set('transfer-encoding', random.pick(['chunked', 'gzip', 'chunked, identity', marker]));
      return;
    case 4:
      return set('content-encoding', random.pick(['gzip', 'br', marker]));
    case 5:
      request.path += random.pick([
        '/',
        '//',
        '/..',
        '/%2e%2e',
        '%',
        '%zz',
        '%00',
        '#',
        '?',
        '/%ff',
        ` ${marker}`,
        '\u0001',
      ]);
      return;
    case 6:
      return set('expect', random.pick(['100-continue', marker]));
    case 7:
      request.headers.push([`x-${marker}`, 'v'.repeat(random.pick([10, 20_000]))]);
      return;
    default:
      request.headers.push(
        ...Array.from({ length: random.pick([2, 200]) }, (_, at): [string, string] => [`x-many-${at}`, marker]),
      );
  }
}

function writePath(segments: string[], query: [string, string][]): string {
  const written = query.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
  return `/${segments.map(escape).join('/')}${written === '' ? '' : `?${written}`}`;
}

/** Unpaired surrogates cannot be encoded as UTF-8. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Removes line ends, which would start another header: that is not tested here. */
function writeHeader(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, ' ')).toString('latin1');
}
