// Sentences are in `locales/{code}/{namespace}.json`. A page requests its namespaces at the top of its module, so that
// the texts are loaded before anything renders: suspending inside the tree would put React's streaming scripts into the
// static pages.
import type { Namespace } from './catalogues.ts';
import { findLocale, type LocaleCode, readLocale } from './locale.ts';
import { type Catalogue, createTexts, type Texts } from './translator.ts';

const bundled =
  import.meta.env.SSR || import.meta.env.MODE === 'test'
    ? import.meta.glob<Catalogue>('../../locales/*/*.json', { import: 'default', eager: true })
    : {};

const instances = new Map<LocaleCode, Texts>();
const loading = new Map<string, Promise<void>>();
const wanted = new Set<Namespace>();

/** The address of a catalogue; pages preload it in their head, so that it loads in parallel with the scripts. */
export function findCatalogueAddress(code: LocaleCode, namespace: Namespace): string {
  return `${__TEXTS__}/${code}/${namespace}.json`;
}

export function readTexts(code: LocaleCode): Texts {
  const known = instances.get(code);
  if (known) return known;
  const texts = createTexts(findLocale(code).tag);
  for (const [file, catalogue] of Object.entries(bundled)) {
    const [folder, name = ''] = file.split('/').slice(-2);
    if (folder === code) texts.add(name.replace('.json', '') as Namespace, catalogue);
  }
  instances.set(code, texts);
  return texts;
}

async function fetchCatalogue(code: LocaleCode, namespace: Namespace): Promise<void> {
  const reply = await fetch(findCatalogueAddress(code, namespace));
  if (!reply.ok) throw new Error(`texts ${code}/${namespace} answered ${reply.status}`);
  readTexts(code).add(namespace, (await reply.json()) as Catalogue);
}

function loadCatalogue(code: LocaleCode, namespace: Namespace): Promise<void> {
  const key = `${code}/${namespace}`;
  const known = loading.get(key);
  if (known) return known;
  const job = fetchCatalogue(code, namespace);
  // After a failure the next visit to the page tries again.
  job.catch(() => loading.delete(key));
  loading.set(key, job);
  return job;
}

function isLoaded(code: LocaleCode, namespace: Namespace): boolean {
  return readTexts(code).has(namespace);
}

export function areTextsLoaded(code: LocaleCode): boolean {
  return [...wanted].every((namespace) => isLoaded(code, namespace));
}

const pending = new Map<string, Promise<void>>();

/** Loads all requested texts in another language: before a switch, or after going back across one. */
export function loadRequestedTexts(code: LocaleCode): Promise<void> {
  const missing = [...wanted].filter((namespace) => !isLoaded(code, namespace));
  const key = `${code}:${missing.join()}`;
  const known = pending.get(key);
  if (known) return known;
  const job = Promise.all(missing.map((namespace) => loadCatalogue(code, namespace))).then(() => {
    pending.delete(key);
  });
  pending.set(key, job);
  return job;
}

/** `await` it at the top of a page's module. */
export async function requestTexts(...namespaces: Namespace[]): Promise<void> {
  for (const namespace of namespaces) wanted.add(namespace);
  if (import.meta.env.SSR || import.meta.env.MODE === 'test') return;
  await loadRequestedTexts(readLocale(window.location.pathname));
}
