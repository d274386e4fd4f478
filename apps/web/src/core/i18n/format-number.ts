// Does not use Intl: Chromium claims to support Kazakh and then groups digits the English way.
import type { LocaleCode } from './locale.ts';

const narrowSpace = '\u202F';
const noBreakSpace = '\u00A0';

interface Marks {
  group: string;
  decimal: string;
  sizes: readonly [string, string, string, string];
}

const marks: Record<LocaleCode, Marks> = {
  en: { group: ',', decimal: '.', sizes: ['B', 'KB', 'MB', 'GB'] },
  kz: { group: narrowSpace, decimal: ',', sizes: ['Б', 'КБ', 'МБ', 'ГБ'] },
  ru: { group: narrowSpace, decimal: ',', sizes: ['Б', 'КБ', 'МБ', 'ГБ'] },
};

export function formatNumber(code: LocaleCode, value: number, decimals = 0): string {
  const { group, decimal } = marks[code];
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const sign = value < 0 ? '\u2212' : '';
  return sign + grouped + (fraction === undefined ? '' : decimal + fraction);
}

export function formatPercent(code: LocaleCode, percent: number): string {
  return code === 'en' ? `${formatNumber(code, percent)}%` : `${formatNumber(code, percent)}${noBreakSpace}%`;
}

export function formatBytes(code: LocaleCode, bytes: number): string {
  const { sizes } = marks[code];
  const step = Math.min(sizes.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const amount = bytes / 1024 ** step;
  const decimals = step === 0 || amount >= 100 ? 0 : 1;
  return `${formatNumber(code, amount, decimals)}${noBreakSpace}${sizes[step] ?? ''}`;
}
