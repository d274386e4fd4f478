// The one place that turns times into words. Chromium's own Kazakh is "2026 M11 14, Sat"; date-fns has the real names.
import { differenceInCalendarDays, format, formatDistance, type Locale as DateLocale } from 'date-fns';
import { enGB } from 'date-fns/locale/en-GB';
import { kk } from 'date-fns/locale/kk';
import { ru } from 'date-fns/locale/ru';
import type { LocaleCode } from './locale.ts';

interface Shapes {
  locale: DateLocale;
  day: string;
  dayInYear: string;
  weekday: string;
  today: string;
  yesterday: string;
}

const shapes: Record<LocaleCode, Shapes> = {
  en: {
    locale: enGB,
    day: 'd MMMM',
    dayInYear: 'd MMMM yyyy',
    weekday: 'EEEE',
    today: 'Today',
    yesterday: 'Yesterday',
  },
  kz: {
    locale: kk,
    day: 'd MMMM',
    dayInYear: "yyyy 'ж.' d MMMM",
    weekday: 'EEEE',
    today: 'Бүгін',
    yesterday: 'Кеше',
  },
  ru: {
    locale: ru,
    day: 'd MMMM',
    dayInYear: "d MMMM yyyy 'г.'",
    weekday: 'EEEE',
    today: 'Сегодня',
    yesterday: 'Вчера',
  },
};

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 24 hours in all three languages: one habit, no "12:30 AM". */
export function formatTime(at: Date): string {
  return format(at, 'HH:mm');
}

export function formatDate(code: LocaleCode, at: Date): string {
  const { locale, dayInYear } = shapes[code];
  return format(at, dayInYear, { locale });
}

/** The words between messages: Today, Yesterday, a weekday within the week, a date beyond it. */
export function formatDay(code: LocaleCode, at: Date, now: Date): string {
  const { locale, day, dayInYear, weekday, today, yesterday } = shapes[code];
  const days = differenceInCalendarDays(now, at);
  if (days === 0) return today;
  if (days === 1) return yesterday;
  if (days > 1 && days < 7) return capitalise(format(at, weekday, { locale }));
  return format(at, at.getFullYear() === now.getFullYear() ? day : dayInYear, { locale });
}

/** "5 minutes ago". */
export function formatAgo(code: LocaleCode, at: Date, now: Date): string {
  return formatDistance(at, now, { addSuffix: true, locale: shapes[code].locale });
}
