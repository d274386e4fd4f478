/**
 * The layout of all emails: name, card, footer. It uses tables, because half of all email clients support nothing else. It
 * loads nothing, so that no server learns that an email was opened.
 *
 * `createElement` and not JSX: the server runs from its source, and Node strips types but does not translate JSX.
 */
import { productName } from '@dostar/protocol/product';
import { createElement as h } from 'react';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { darkSheet, styles } from './email-style.ts';
import type { EmailText } from './texts/text.ts';

export interface EmailContent extends EmailText {
  /** A language, `kk` and not `kz`. */
  language: string;
  linkHint: string;
  footer: string;
  site: string;
  code?: string | undefined;
  link?: string | undefined;
}

export function drawEmail(email: EmailContent): ReactElement {
  return h(
    'html',
    { lang: email.language, dir: 'ltr' },
    h(
      'head',
      null,
      h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=UTF-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      // Keeps clients from linking a code as a telephone number.
      h('meta', { name: 'format-detection', content: 'telephone=no,date=no,address=no,email=no,url=no' }),
      h('title', null, email.subject),
      h('style', { dangerouslySetInnerHTML: { __html: darkSheet } }),
    ),
    h(
      'body',
      { className: 'page', style: styles.page },
      h('div', { style: styles.preview, 'data-skip-in-text': true }, email.preview),
      drawTable(
        { width: '100%', className: 'page', style: styles.page },
        h(
          'td',
          { align: 'center', style: styles.outer },
          drawTable({ width: '100%', style: styles.column }, drawName(), drawCard(email), drawFooter(email)),
        ),
      ),
    ),
  );
}

function drawName(): ReactElement {
  return h(
    'td',
    { style: styles.header, 'data-skip-in-text': true },
    h('div', { className: 'accent', style: styles.name }, productName),
    h('div', { style: styles.sun }),
  );
}

function drawCard(email: EmailContent): ReactElement {
  const { title, lines, notes } = email;
  return h(
    'td',
    { className: 'card', style: styles.card },
    h('h1', { className: 'text', style: styles.title }, title),
    lines.map((line) => h('p', { key: line, className: 'text', style: styles.line }, line)),
    drawCode(email),
    drawFacts(email),
    drawButton(email),
    h(
      'div',
      { className: 'notes', style: styles.notes },
      notes.map((note, index) => {
        const style = index === notes.length - 1 ? styles.lastNote : styles.note;
        return h('p', { key: note, className: 'muted', style }, note);
      }),
    ),
  );
}

function drawCode({ code }: EmailContent): ReactNode {
  if (code === undefined) return null;
  const cell = h('td', { className: 'code', style: styles.code }, h('p', { style: { margin: 0 } }, code));
  return drawTable({ width: '100%', style: styles.codeBox }, cell);
}

function drawFacts({ facts }: EmailContent): ReactNode {
  return facts?.map(([label, value]) =>
    h(
      'p',
      { key: label, style: styles.facts },
      h('span', { className: 'muted', style: styles.factLabel }, `${label}:`),
      h('br'),
      h('strong', { className: 'text', style: styles.fact }, value),
    ),
  );
}

function drawButton({ button, link, linkHint }: EmailContent): ReactNode {
  if (button === undefined || link === undefined) return null;
  const anchor = h('a', { href: link, className: 'button on-accent', style: styles.button }, button);
  return [
    drawTable(
      { key: 'button', className: 'wide', style: styles.buttonBox },
      h('td', { className: 'fill', style: styles.buttonCell }, anchor),
    ),
    h(
      'p',
      { key: 'hint', className: 'muted', style: styles.hint, 'data-skip-in-text': true },
      linkHint,
      h('br'),
      h('a', { href: link, className: 'accent', style: styles.link }, link),
    ),
  ];
}

function drawFooter({ footer, site }: EmailContent): ReactElement {
  const link = h('a', { href: site, className: 'muted', style: { color: 'inherit' } }, new URL(site).host);
  return h('td', { className: 'muted', style: styles.footer }, `${productName} · `, link, h('br'), footer);
}

interface TableProps {
  key?: string;
  width?: string;
  className?: string;
  style?: CSSProperties;
}

/** Each cell is a row of its own. */
function drawTable(props: TableProps, ...cells: ReactElement[]): ReactElement {
  const rows = cells.map((cell, index) => h('tr', { key: index }, cell));
  return h(
    'table',
    { role: 'presentation', border: 0, cellPadding: 0, cellSpacing: 0, ...props },
    h('tbody', null, rows),
  );
}
