import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatDate, formatDay, formatMoment, formatTime } from './format-date.ts';
import { formatBytes, formatNumber, formatPercent } from './format-number.ts';

describe('numbers', () => {
  it('are grouped by the rules of each language', () => {
    expect(formatNumber('en', 3_906_112)).toBe('3,906,112');
    expect(formatNumber('kz', 3_906_112)).toBe('3\u202F906\u202F112');
    expect(formatNumber('ru', 1234.5, 1)).toBe('1\u202F234,5');
    expect(formatNumber('kz', 0)).toBe('0');
    expect(formatNumber('en', -1200)).toBe('−1,200');
  });

  it('of percents and bytes have their units', () => {
    expect(formatPercent('en', 72)).toBe('72%');
    expect(formatPercent('ru', 72)).toBe('72\u00A0%');
    expect(formatBytes('kz', 12.5 * 1024 * 1024)).toBe('12,5\u00A0МБ');
    expect(formatBytes('en', 512)).toBe('512\u00A0B');
    expect(formatBytes('en', 0)).toBe('0\u00A0B');
  });
});

describe('dates', () => {
  const now = new Date(2026, 10, 14, 18, 30);

  it('have Kazakh month names, not numbers', () => {
    expect(formatDate('kz', now)).toBe('2026 ж. 14 қараша');
    expect(formatDate('ru', now)).toBe('14 ноября 2026 г.');
    expect(formatDate('en', now)).toBe('14 November 2026');
  });

  it('near today have names such as Today and Yesterday', () => {
    expect(formatDay('kz', new Date(2026, 10, 14, 1), now)).toBe('Бүгін');
    expect(formatDay('ru', new Date(2026, 10, 13, 23), now)).toBe('Вчера');
    expect(formatDay('kz', new Date(2026, 10, 11), now)).toBe('Сәрсенбі');
    expect(formatDay('en', new Date(2025, 1, 3), now)).toBe('3 February 2025');
    expect(formatDay('kz', new Date(2026, 0, 5), now)).toBe('5 қаңтар');
  });

  it('on the day of a clock change count as one day', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    const short = new Date(2025, 2, 10).getTime() - new Date(2025, 2, 9).getTime();
    expect(short).toBe(23 * 60 * 60_000);
    for (const month of Array.from({ length: 12 }, (_, index) => index)) {
      for (let day = 2; day <= 28; day += 1) {
        const late = new Date(2025, month, day, 23, 59);
        expect(formatDay('en', new Date(2025, month, day - 1, 0, 1), late)).toBe('Yesterday');
      }
    }
  });

  it.each([
    ['en', '1 minute ago', '5 minutes ago', 'today at 16:30', 'yesterday at 23:05', '11 November', '3 February 2025'],
    ['kz', '1 минут бұрын', '5 минут бұрын', 'бүгін 16:30', 'кеше 23:05', '11 қараша', '2025 ж. 3 ақпан'],
    ['ru', '1 минуту назад', '5 минут назад', 'сегодня в 16:30', 'вчера в 23:05', '11 ноября', '3 февраля 2025 г.'],
  ] as const)('are told within a sentence: %s', (code, ...said) => {
    const moments = [
      new Date(2026, 10, 14, 18, 29),
      new Date(2026, 10, 14, 18, 25),
      new Date(2026, 10, 14, 16, 30),
      new Date(2026, 10, 13, 23, 5),
      new Date(2026, 10, 11),
      new Date(2025, 1, 3),
    ];
    expect(moments.map((moment) => formatMoment(code, moment, now))).toEqual(said);
  });

  it('have the right plural of minutes in Russian, and never count minutes in the future', () => {
    const counted = [-3, 2, 5, 11, 12, 20, 21, 34];
    expect(counted.map((minutes) => formatMoment('ru', new Date(now.getTime() - minutes * 60_000), now))).toEqual([
      '1 минуту назад',
      '2 минуты назад',
      '5 минут назад',
      '11 минут назад',
      '12 минут назад',
      '20 минут назад',
      '21 минуту назад',
      '34 минуты назад',
    ]);
  });

  it('have a 24-hour clock', () => {
    expect(formatTime(new Date(2026, 10, 14, 0, 5))).toBe('00:05');
  });
});
