// Screenshots of the app, taken by `./dev shots` into `screenshots/{locale}/{name}-{theme}.webp`. A topic without a
// screenshot shows only its text.
import type { LocaleCode } from '../../core/i18n/locale.ts';

const files = import.meta.glob<string>('./screenshots/*/*.webp', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

export function findScreenshot(code: LocaleCode, name: string, theme: 'light' | 'dark'): string | undefined {
  return files[`./screenshots/${code}/${name}-${theme}.webp`];
}
