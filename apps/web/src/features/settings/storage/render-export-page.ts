import type { Translate } from '../../../core/i18n/translator.ts';
import { formatDate, formatTime } from '../../../core/i18n/format-date.ts';
import type { LocaleCode } from '../../../core/i18n/locale.ts';
import { productName } from '../../../product.ts';
import type { OwnData } from './collect-data.ts';

interface RenderContext {
  t: Translate<'preferences'>;
  code: LocaleCode;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
article{margin:.4rem 0;padding:.5rem .8rem;border-radius:.8rem;border:1px solid;width:fit-content;max-width:85%}
article.me{margin-left:auto}p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}footer{font-size:.8rem;opacity:.7}`;

/** One self-contained HTML page without scripts or external resources. */
export function renderExportPage(data: OwnData, { t, code }: RenderContext): string {
  const heading = t('export.heading', { product: productName });
  const chats = data.chats.map(({ with: name, messages }) => {
    const title = name ?? t('export.unknown');
    const lines = messages.map(({ from, at, text, isEdited, reactions = [] }) => {
      const when = new Date(at);
      const who = from === 'me' ? t('export.me') : title;
      const notes = [who, `${formatDate(code, when)}, ${formatTime(when)}`, ...(isEdited ? [t('export.edited')] : [])];
      const foot = escapeText([...notes, reactions.join(' ')].filter((note) => note !== '').join(' · '));
      return `<article class="${from}"><p dir="auto">${escapeText(text)}</p><footer>${foot}</footer></article>`;
    });
    return `<section><h2>${escapeText(title)}</h2>${lines.join('\n')}</section>`;
  });
  const made = t('export.made', { date: formatDate(code, new Date(data.exportedAt)) });
  return `<!doctype html><html lang="${code === 'kz' ? 'kk' : code}"><head><meta charset="utf-8"><title>${escapeText(heading)}</title><style>${style}</style></head>
<body><h1>${escapeText(heading)}</h1><p>${escapeText(made)}</p>${chats.join('\n')}</body></html>`;
}

/** Escapes HTML in user text. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
