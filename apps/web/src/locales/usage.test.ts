// @vitest-environment node
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseOf, readSentences } from './read-catalogues.ts';
import { listHardCoded, listSource, readUsage, type Usage } from './scan-source.ts';
import specSentences from './spec-sentences.json' with { type: 'json' };

/** The browser shows these, from the manifest that the build writes. */
const inManifest = /^app:install\.pictures\./;

const source = listSource(join(import.meta.dirname, '..'));

/** A key counts as used in the folder in which its namespace is used: tables of keys have a file of their own. */
function readUsageByFolder(): Usage[] {
  const folders = new Map<string, Usage>();
  for (const file of source) {
    const { literals, patterns, pages } = readUsage(file);
    const folder = folders.get(dirname(file.path)) ?? { literals: new Set(), patterns: [], pages: [] };
    for (const literal of literals) folder.literals.add(literal);
    folder.patterns.push(...patterns);
    folder.pages.push(...pages);
    folders.set(dirname(file.path), folder);
  }
  return [...folders.values()];
}

function listUnused(): string[] {
  const usages = readUsageByFolder();
  const pages = usages.flatMap((usage) => usage.pages);
  const promised = new Set(specSentences.flatMap(({ keys }) => keys));
  const keys = new Set([...readSentences(import.meta.dirname).en.keys()].map(baseOf));
  return [...keys].filter((key) => {
    const [namespace = '', name = ''] = key.split(':');
    if (inManifest.test(key) || promised.has(key) || pages.some((page) => key.startsWith(`${page}.`))) return false;
    return !usages.some(
      ({ literals, patterns }) =>
        literals.has(key) ||
        (literals.has(namespace) && (literals.has(name) || patterns.some((pattern) => pattern.test(name)))),
    );
  });
}

function search(text: string): string[] {
  return listHardCoded({ path: 'x.tsx', text: `export function X() { return ${text}; }` });
}

describe('the catalogues and the components', () => {
  it('contain no sentence that no component shows', () => {
    expect(listUnused()).toEqual([]);
  });

  it('show no sentence that is not in the catalogues', () => {
    expect(source.flatMap(listHardCoded)).toEqual([]);
  });
});

describe('the search for hard-coded sentences', () => {
  it.each([
    '<p>Good morning</p>',
    '<p>Қайырлы таң</p>',
    '<><b>x</b>Good morning</>',
    '<button aria-label="Close" />',
    '<input placeholder={"Your name"} />',
    '<img alt={`Picture of ${name}`} />',
    '<p>{isOpen ? "Open" : t("closed")}</p>',
    '<p>{isOpen && "Open"}</p>',
  ])('finds %s', (text) => {
    expect(search(text)).toHaveLength(1);
  });

  it.each([
    '<p>{t("nav.home")}</p>',
    '<p className="text-body">{name}</p>',
    '<code>pnpm install</code>',
    '<a href="https://example.com">→ 1</a>',
  ])('lets %s be', (text) => {
    expect(search(text)).toEqual([]);
  });
});
