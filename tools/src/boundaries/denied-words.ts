/** Finds words that our prose does without (CONTRIBUTING.md, "How we work"). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSourceFiles } from '../dev/git-files.ts';
import { repoRoot } from '../servers/folders.ts';

/** Riddles, and metaphors for which the industry has a term. */
const DENIED =
  /\b(?:who(?:so)?ever|whomever|nobody|somebody|everybody|anybody|anew|of before|deeds?|wish(?:es|ed)?|bells?|rings?|rung|letters?|for ever|mails|the one who|he who|book of|the other way round|gives? way|go(?:es)? on|(?:is|are|was|were) away|towns?|houses?|desks?|hands|walls|woken)\b/giu;

/** Characters of a text and the parts of a picture; an email is no letter. */
const ALLOWED_PHRASES =
  /\b(?:(?:small|capital|large|Latin|Cyrillic|Kazakh|Russian|first|single) letters?|letters?,? (?:digits?|and digits|or digits)|with a letter|dead letters?|(?:progress|outer|key) rings?|ring-device)\b/giu;

/** Texts that stay as they are. */
const QUOTED: Record<string, string[]> = {
  // The name of an icon.
  'apps/web/src/locales/en/contacts.json': ['"Bell"'],
  // Literal: a device that someone else holds.
  'apps/web/src/locales/en/landing.json': ['in someone else’s hands'],
};

const PROSE =
  /\.(?:tsx?|mjs|sql|sh|ya?ml|md|example|service|timer|conf)$|^deploy\/(?:[^/]+\/)*[^./]+$|(?:^|\/)locales\/en\/[^/]+\.json$/;
const OWN_FILES = /^tools\/src\/boundaries\/(?:denied-words|prose\.test)\.ts$/;

interface Hit {
  path: string;
  line: number;
  word: string;
  text: string;
}

export async function listDeniedWords(): Promise<Hit[]> {
  return (await listProse()).flatMap((path) => findDenied(path, readFileSync(join(repoRoot, path), 'utf8')));
}

export async function listProse(): Promise<string[]> {
  return (await listSourceFiles()).filter((path) => PROSE.test(path) && !OWN_FILES.test(path));
}

export function findDenied(path: string, text: string): Hit[] {
  const quoted = QUOTED[path] ?? [];
  return keepProse(path, text)
    .split('\n')
    .flatMap((prose, index) => {
      const rest = quoted.reduce((left, quote) => left.replaceAll(quote, ''), prose).replaceAll(ALLOWED_PHRASES, '');
      return [...rest.matchAll(DENIED)].map(([word]) => ({ path, line: index + 1, word, text: prose.trim() }));
    });
}

/** Blanks everything but prose, and keeps the line numbers. */
function keepProse(path: string, text: string): string {
  if (path.endsWith('.md')) return blankCodeBlocks(text).replaceAll(/`[^`\n]*`/g, '');
  if (path.endsWith('.json')) return text.replaceAll(/"[^"]*":/g, '');
  if (/\.(?:tsx?|mjs)$/.test(path)) return keepMatches(text, SCRIPT_PROSE);
  return keepMatches(text, path.endsWith('.sql') ? /--[^\n]*/g : /(?:^|(?<=\s))#[^\n]*/g);
}

function blankCodeBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}

/** Comments, the names of tests, and what proofs print. */
const SCRIPT_PROSE =
  /\/\*[\s\S]*?\*\/|(?<![:\w"'`/\\])\/\/[^\n]*|(?<=\b(?:(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?|report\.\w+|checks\.that|checkRun\.\w+)\(\s*|\bclaim:\s*)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/g;

function keepMatches(text: string, pattern: RegExp): string {
  let kept = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    kept +=
      text.slice(end, match.index).replaceAll(/[^\n]/g, '') +
      match[0].replaceAll(/`[^`\n]*`/g, (code) => (match[0].startsWith('`') ? code : ''));
    end = match.index + match[0].length;
  }
  return kept + text.slice(end).replaceAll(/[^\n]/g, '');
}
