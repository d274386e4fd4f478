/** The frame of every page: head, navigation and the policy that forbids scripts. */
import { createHash } from 'node:crypto';
import { productName } from '@dostar/protocol/product';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

export interface Page {
  title: string;
  body: Html;
  /** 200 by default. */
  status?: number;
  /** The only script of the page. */
  script?: string;
}

const SECTIONS = [
  ['/console', 'Overview'],
  ['/console/accounts', 'Accounts'],
  ['/console/invites', 'Invites'],
  ['/console/storage', 'Storage'],
  ['/console/reports', 'Reports'],
  ['/console/audit-log', 'Audit log'],
] as const;

const styleHash = hashOf(STYLE);

/** `path`: the section that is open; undefined without a session. */
export function renderPage({ title, body, script }: Page, path?: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} · ${productName} console</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <div class="top">
            <div class="name">${productName} <span>console</span></div>
            ${path === undefined ? undefined : SIGN_OUT}
          </div>
          ${path === undefined ? undefined : html`<nav aria-label="Sections">${SECTIONS.map((section) => link(section, path))}</nav>`}
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${body}
        </main>
        ${script === undefined ? undefined : new Html(`<script>${script}</script>`)}
      </body>
    </html> `.text;
}

const SIGN_OUT = html`<form method="post" action="/console/sign-out"><button>Sign out</button></form>`;

function link([target, name]: readonly [string, string], path: string): Html {
  const isHere = target === '/console' ? path === target : path.startsWith(target);
  return html`<a href="${target}" ${isHere ? new Html('aria-current="page"') : undefined}>${name}</a>`;
}

export function describePolicy({ script }: Pick<Page, 'script'>): string {
  const scripts = script === undefined ? '' : `; script-src ${hashOf(script)}`;
  return (
    `default-src 'none'; style-src ${styleHash}${scripts}; img-src data:; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'"
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
