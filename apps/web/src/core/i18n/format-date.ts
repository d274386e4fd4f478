// The only place that formats times. Not with Intl: Chromium's Kazakh is "2026 M11 14, Sat", and a library that has the
// the real names weighs as much as the whole list of chats.
import type { LocaleCode } from './locale.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Words {
  /** In the form that follows a day number. */
  months: readonly string[];
  /** Starting with Sunday. */
  weekdays: readonly string[];
  today: string;
  yesterday: string;
  /** Between the day and the time. */
  at: string;
  inYear: (day: string, year: number) => string;
  minutesAgo: (minutes: number) => string;
}

const words: Record<LocaleCode, Words> = {
  en: {
    months: list('January February March April May June July August September October November December'),
    weekdays: list('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
    today: 'Today',
    yesterday: 'Yesterday',
    at: ' at ',
    inYear: (day, year) => `${day} ${year}`,
    minutesAgo: (minutes) => (minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`),
  },
  kz: {
    months: list('қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан'),
    weekdays: list('Жексенбі Дүйсенбі Сейсенбі Сәрсенбі Бейсенбі Жұма Сенбі'),
    today: 'Бүгін',
    yesterday: 'Кеше',
    at: ' ',
    inYear: (day, year) => `${year} ж. ${day}`,
    minutesAgo: (minutes) => `${minutes} минут бұрын`,
  },
  ru: {
    months: list('января февраля марта апреля мая июня июля августа сентября октября ноября декабря'),
    weekdays: list('Воскресенье Понедельник Вторник Среда Четверг Пятница Суббота'),
    today: 'Сегодня',
    yesterday: 'Вчера',
    at: ' в ',
    inYear: (day, year) => `${day} ${year} г.`,
    minutesAgo: (minutes) => `${minutes} ${countInRussian(minutes, 'минуту', 'минуты', 'минут')} назад`,
  },
};

function list(names: string): string[] {
  return names.split(' ');
}

/** The form for 21 is that for 1, and for 32 that for 2; but 11 and 12 take the form for 5. */
function countInRussian(count: number, one: string, few: string, many: string): string {
  const [tens, ones] = [Math.floor(count / 10) % 10, count % 10];
  if (tens === 1 || ones === 0 || ones > 4) return many;
  return ones === 1 ? one : few;
}

/** 24-hour time in all three languages: never "12:30 AM". */
export function formatTime(at: Date): string {
  return [at.getHours(), at.getMinutes()].map((number) => String(number).padStart(2, '0')).join(':');
}

export function formatDate(code: LocaleCode, at: Date): string {
  return words[code].inYear(formatDayOfMonth(code, at), at.getFullYear());
}

/** The separator between messages: Today, Yesterday, a weekday within the week, otherwise a date. */
export function formatDay(code: LocaleCode, at: Date, now: Date): string {
  const { weekdays, today, yesterday } = words[code];
  const days = countDays(at, now);
  if (days === 0) return today;
  if (days === 1) return yesterday;
  if (days > 1 && days < 7) return weekdays[at.getDay()]!;
  return formatDayOfYear(code, at, now);
}

/** A time within a sentence: "5 minutes ago", "yesterday at 14:02", "3 November". */
export function formatMoment(code: LocaleCode, moment: Date, now: Date): string {
  const { today, yesterday, at, minutesAgo } = words[code];
  const minutes = Math.floor((now.getTime() - moment.getTime()) / MINUTE_MS);
  const days = countDays(moment, now);
  if (minutes < 60) return minutesAgo(Math.max(1, minutes));
  if (days > 1) return formatDayOfYear(code, moment, now);
  return `${(days === 0 ? today : yesterday).toLowerCase()}${at}${formatTime(moment)}`;
}

/** With the year only if it is not the present one. */
function formatDayOfYear(code: LocaleCode, at: Date, now: Date): string {
  return at.getFullYear() === now.getFullYear() ? formatDayOfMonth(code, at) : formatDate(code, at);
}

function formatDayOfMonth(code: LocaleCode, at: Date): string {
  return `${at.getDate()} ${words[code].months[at.getMonth()]}`;
}

/** The number of midnights between; rounded, because the day of a clock change has 23 or 25 hours. */
function countDays(from: Date, to: Date): number {
  const [first, last] = [from, to].map((at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime());
  return Math.round((last! - first!) / DAY_MS);
}
