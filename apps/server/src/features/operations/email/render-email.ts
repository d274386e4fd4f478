/** Renders an email in the recipient's language, as HTML and as plain text. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { render, toPlainText } from '@react-email/render';
import { drawEmail } from './draw-email.ts';
import type { EmailContent } from './draw-email.ts';
import type { EmailMessage, Template } from './templates.ts';
import { en } from './texts/en.ts';
import { kz } from './texts/kz.ts';
import { ru } from './texts/ru.ts';
import type { EmailText, EmailTexts } from './texts/text.ts';

export interface RenderedEmail {
  subject: string;
  html: string;
  text: string;
  language: string;
}

const textsOf: Record<Locale, EmailTexts> = { en, kz, ru };
/** The site's `kz` is the language `kk`. English dates put the day first. */
const languageOf: Record<Locale, string> = { en: 'en-GB', kz: 'kk', ru: 'ru' };

/** The target of the button, if the data has none. */
const buttonPaths: Partial<Record<Template, string>> = {
  'already-here': '/sign-in',
  'sign-in-notice': '/settings/devices',
  'password-changed': '/recovery',
  'use-google': '/sign-in',
  'recovery-key': '/settings/security',
  'account-locked': '/settings/devices',
  'fresh-start': '/settings/devices',
  'account-changed': '/settings/security',
  'wrong-passwords': '/settings/security',
  'wrong-codes': '/settings/security',
};

// The parts of html-to-text's formatters that are used here; it comes without types.
interface TextElement {
  children: unknown[];
  attribs: { href: string };
}
interface TextBuilder {
  addInline(text: string, options?: { noWordTransform: boolean }): void;
  addLineBreak(): void;
}
type Walk = (children: unknown[], builder: TextBuilder) => void;

const inPlainText: Parameters<typeof toPlainText>[1] = {
  wordwrap: 78,
  formatters: {
    /** The label, and below it the URL. */
    button(element: TextElement, walk: Walk, builder: TextBuilder) {
      walk(element.children, builder);
      builder.addInline(':');
      builder.addLineBreak();
      builder.addInline(element.attribs.href, { noWordTransform: true });
    },
  },
  selectors: [
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'a.button', format: 'button' },
  ],
};

export async function renderEmail(message: EmailMessage, origin: string): Promise<RenderedEmail> {
  const email = composeEmail(message, origin);
  const html = await render(drawEmail(email));
  const text = toPlainText(html, inPlainText);
  return { subject: email.subject, html, text, language: email.language };
}

function composeEmail(message: EmailMessage, origin: string): EmailContent {
  const { template, locale, data } = message;
  const language = languageOf[locale];
  const { emails, linkHint, footer } = textsOf[locale];
  const compose = emails[template] as (words: Record<string, string>) => EmailText;
  const site = new URL(locale === 'en' ? '/' : `/${locale}`, origin).href.replace(/\/$/, '');
  const path = 'path' in data ? data.path : buttonPaths[template];
  return {
    ...compose(formatData(message, language)),
    language: language.slice(0, 2),
    linkHint,
    footer,
    site,
    code: 'code' in data ? data.code : undefined,
    link: 'link' in data ? data.link : path && site + path,
  };
}

function formatData({ data }: EmailMessage, language: string): Record<string, string> {
  return {
    ...('code' in data && { code: data.code }),
    ...('minutes' in data && { lasts: describeDuration(data.minutes, language) }),
    ...('at' in data && { moment: describeMoment(data.at, data.timeZone ?? 'UTC', language) }),
    ...('device' in data && { device: cleanDevice(data.device) || '—' }),
    ...('newAddress' in data && { newAddress: data.newAddress }),
    ...('change' in data && { change: data.change }),
  };
}

function describeDuration(minutes: number, language: string): string {
  const inHours = minutes % 60 === 0;
  const unit = inHours ? 'hour' : 'minute';
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(inHours ? minutes / 60 : minutes);
}

function describeMoment(at: number, timeZone: string, language: string): string {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${date} (${zone?.replace('GMT', 'UTC').replace(/\+0$/, '') ?? timeZone})`;
}

/** The user agent is free text: removes everything that an email client would turn into a link. */
function cleanDevice(device: string): string {
  return device
    .replaceAll(/[^\p{L}\p{N} .,()_+-]/gu, ' ')
    .replaceAll(/\.(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80);
}
