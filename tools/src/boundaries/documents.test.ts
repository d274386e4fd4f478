/** Everything that the documents name exists: files, commands, routes and environment variables. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSourceFiles } from '../dev/git-files.ts';
import { findProofs } from '../dev/prove.ts';
import { repoRoot } from '../servers/folders.ts';

const CODE = ['apps', 'packages', 'examples', 'tools', 'proofs', 'e2e', 'deploy'];
const sourceFiles = await listSourceFiles('docs', ...CODE);

function listFiles(folder: string, ending: RegExp): string[] {
  return sourceFiles.filter((path) => path.startsWith(`${folder}/`) && ending.test(path));
}

function read(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8');
}

const documents = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'GOVERNANCE.md',
  'CODE_OF_CONDUCT.md',
  ...listFiles('docs', /\.md$/),
];

interface Mention {
  document: string;
  text: string;
}

/** Text in backquotes, and lines of command blocks. */
function listCode(document: string): Mention[] {
  const text = read(document);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, body = '']) => body.split('\n'));
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, body = '']) => body);
  return [...blocks, ...spans].map((each) => ({ document, text: each.trim() }));
}

const mentions = documents.flatMap(listCode);
const source = CODE.flatMap((folder) =>
  listFiles(folder, /\.(?:ts|tsx|sh|yaml|yml|json|conf|sql|service)$|(?:^|\/)[a-z-]+$/),
)
  .filter((path) => !path.endsWith('documents.test.ts'))
  .map(read)
  .join('\n');

function listMissing(found: Mention[], exists: (text: string) => boolean): string[] {
  return [...new Set(found.filter(({ text }) => !exists(text)).map(({ document, text }) => `${document}: ${text}`))];
}

test('every file that a document names exists', () => {
  const paths = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/(?:^|\s)((?:apps|packages|examples|tools|proofs|e2e|deploy|docs)\/[\w./-]*\w)(?=$|\s)/g)]
      .map(([, path = '']) => ({ document, text: path }))
      // Words in capitals are placeholders.
      .filter(({ text: path }) => !/\/[A-Z]+$/.test(path)),
  );
  expect(paths.length).toBeGreaterThan(200);
  expect(listMissing(paths, (path) => existsSync(join(repoRoot, path)))).toEqual([]);
});

/**
 * `web/…`, `client/…` and `server/…` abbreviate these folders. Any other short path has to be the end of a file's path.
 */
const SHORT: Record<string, string> = { web: 'apps/web/src', client: 'packages/client/src', server: 'apps/server/src' };

const sources = CODE.flatMap((folder) => listFiles(folder, /\.(?:tsx?|sql)$/));

test('every short path of a source file that a document names is the end of one', () => {
  const ends = sources.map((path) => `/${path}`);
  const paths = mentions
    .filter(({ text }) => /^[\w-]+(?:\/[\w.-]+)*\.(?:tsx?|sql)$/.test(text) && !/^[A-Z]/.test(text))
    .map(({ document, text }) => ({ document, text }));
  expect(paths.length).toBeGreaterThan(100);
  const exists = (path: string): boolean => {
    const [first = '', ...rest] = path.split('/');
    const long = SHORT[first] === undefined ? path : [SHORT[first], ...rest].join('/');
    return ends.some((file) => file.endsWith(`/${path}`) || file === `/${long}`);
  };
  expect(listMissing(paths, exists)).toEqual([]);
});

test('every source file that a comment names exists', () => {
  const named = sources.flatMap((document) =>
    [...read(document).matchAll(/\/\*\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/[^\n]*|^--[^\n]*/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/(?<![\w./@-])[\w./-]*[\w-]\.(?:tsx?|sql)(?![\w/])/g)].map(([text]) => ({ document, text })),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(listMissing(named, (path) => sources.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
});

test('every link to another page leads somewhere', () => {
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(((?!https?:|mailto:|#)[^)\s]+)\)/g)].map(([, text = '']) => ({ document, text })),
  );
  const broken = links.filter(({ document, text }) => {
    const [path = ''] = text.split('#');
    return !existsSync(join(repoRoot, document, '..', path));
  });
  expect(broken).toEqual([]);
});

test('every picture of the README exists, is small and has words for those who do not see it', () => {
  const readme = read('README.md');
  const files = [...readme.matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(statSync(join(repoRoot, file)).size, file).toBeLessThan(200_000);
  const images = [...readme.matchAll(/<img [^>]*>/g)].map(([image]) => image);
  expect(images.filter((image) => !/alt="[^"]{10,}"/.test(image))).toEqual([]);
});

test('the README names the people that ./dev up makes', () => {
  const script = read('e2e/sample-people/script.ts');
  const [, password = ''] = /samplePassword = '([^']+)'/.exec(script) ?? [];
  const [, named, also, given] = /Sign in as {2}(\S+) or (\S+), password: (.+)/.exec(read('README.md')) ?? [];
  expect(given).toBe(password);
  for (const email of [named, also]) expect(script).toContain(`email: '${email}'`);
});

test('every link to a section leads to a heading', () => {
  const broken: string[] = [];
  for (const document of documents) {
    for (const [, path = '', section = ''] of read(document).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)) {
      const target = path === '' ? document : join(document, '..', path);
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
      if (!headings.includes(section)) broken.push(`${document}: ${path}#${section}`);
    }
  }
  expect(broken).toEqual([]);
});

/** The anchor that GitHub generates for a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

test('every command of ./dev exists', () => {
  const help = read('tools/src/main.ts');
  const commands = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/(?:^|\s)\.\/dev ([a-z][a-z-]*)/g)].map(([, name = '']) => ({ document, text: name })),
  );
  expect(commands.length).toBeGreaterThan(20);
  expect(listMissing(commands, (name) => help.includes(`./dev ${name}`))).toEqual([]);
});

test('every command of the administration exists', () => {
  const usages = [...source.matchAll(/usage: '([a-z][^']*)'/g)].map(([, usage = '']) => usage);
  const commands = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/(?:^|\s)(?:(?:\.\/dev|dostar) )?admin ([a-z][a-z-]*(?: [a-z-]+)?)/g)].map(([, words = '']) => ({
      document,
      text: words,
    })),
  );
  expect(commands.length).toBeGreaterThan(10);
  const exists = (words: string): boolean =>
    usages.some((usage) => {
      const [first, second] = usage.split(' ');
      const [given, more] = words.split(' ');
      return (
        first === given && (second === undefined || !/^[a-z-]+$/.test(second) || more === undefined || second === more)
      );
    });
  expect(listMissing(commands, exists)).toEqual([]);
});

test('every proof exists', () => {
  const proofs = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/\.\/dev prove ([a-z][a-z0-9-]*)/g)].map(([, name = '']) => ({ document, text: name })),
  );
  expect(proofs.length).toBeGreaterThan(10);
  expect(listMissing(proofs, (name) => findProofs().has(name))).toEqual([]);
});

test('every route of /api is one of the contract or of a handler', () => {
  const routes = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/(?:^|\s)(\/api\/[a-z][a-z/-]*[a-z])(?=$|[\s?#])/g)].map(([, path = '']) => ({
      document,
      text: path,
    })),
  );
  expect(routes.length).toBeGreaterThan(20);
  expect(listMissing(routes, (path) => source.includes(`'${path}'`))).toEqual([]);
});

test('every environment variable is read somewhere', () => {
  const names = mentions.flatMap(({ document, text }) =>
    [...text.matchAll(/(?:^|[\s,])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=$|[\s=,])/g)].map(([, name = '']) => ({
      document,
      text: name,
    })),
  );
  expect(names.length).toBeGreaterThan(60);
  expect(listMissing(names, isRead)).toEqual([]);
});

test('the page about ASVS counts its own entries', () => {
  const text = read('docs/security/asvs.md');
  const states = [...text.matchAll(/^- \*\*\d+\.\d+\.\d+ .+?\*\*\s\(level\s[^,)]+,\s([^)]+)\):/gms)].map(
    ([, state = '']) => state.replace('\n ', ''),
  );
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  expect(/^Of \d+ requirements.*$/m.exec(text)?.[0]).toBe(
    `Of ${states.length} requirements: ${count('met')} met, ${count('exception')} exceptions, ${count('NOT MET')} not met, ${count('not applicable')} not applicable.`,
  );
});

/** Any secret may also be given in a file. OpenTelemetry reads its variables itself. */
function isRead(name: string): boolean {
  if (name.startsWith('OTEL_')) return true;
  return [name, name.replace(/_FILE$/, '')].some((each) => new RegExp(`\\b${each}\\b`).test(source));
}
