import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../apps/web/src/locales');

/** Texts of a catalogue by key, as the page shows them. */
export function readTranslations(
  locale: string,
  catalogue: string,
): (key: string, values?: Record<string, string>) => string {
  const texts = JSON.parse(readFileSync(join(folder, locale, `${catalogue}.json`), 'utf8')) as unknown;
  return (key, values = {}) => {
    const text = key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], texts);
    if (typeof text !== 'string') throw new Error(`no sentence ${key} in ${locale}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}
