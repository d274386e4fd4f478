// Renders the reference of both APIs as one static page. It is readable without scripts; its only script filters the
// list.
import { productName } from '../../src/product.ts';
import { escapeHtml, writeText } from './html.ts';
import type { OpenApi, Operation, RateLimit } from './open-api.ts';
import { writeType } from './write-type.ts';

interface Surface {
  /** The prefix of its anchors. */
  id: string;
  title: string;
  file: string;
  /** The prefix of each path. */
  base: string;
  document: OpenApi;
}

interface PageOptions {
  surfaces: Surface[];
  stylesheet: string;
  /** Preloaded with the page, because a late font is not used. */
  font: string | undefined;
  origin: string;
  address: string;
}

/** Applies the theme chosen in the app before the first paint. */
const THEME_SCRIPT = `(function(){try{var t=localStorage.getItem('theme');if(t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches))document.documentElement.classList.add('dark')}catch(e){}})()`;

const FILTER_SCRIPT = `(function(){var f=document.getElementById('filter'),q=f.querySelector('input'),n=f.querySelector('output'),all=[].slice.call(document.querySelectorAll('details.call'));f.hidden=false;q.addEventListener('input',function(){var w=q.value.trim().toLowerCase(),c=0;all.forEach(function(e){e.hidden=w!==''&&e.dataset.words.indexOf(w)<0;if(!e.hidden)c++});[].forEach.call(document.querySelectorAll('section.group'),function(s){s.hidden=!s.querySelector('details.call:not([hidden])')});n.textContent=w===''?'':c+(c===1?' endpoint':' endpoints')});function open(){var e=document.getElementById(decodeURIComponent(location.hash.slice(1)));if(e&&e.tagName==='DETAILS')e.open=true}addEventListener('hashchange',open);open()})()`;

export function renderPage({ surfaces, stylesheet, font, origin, address }: PageOptions): string {
  const title = `API reference · ${productName}`;
  const description = `All endpoints of the ${productName} server, with callers, rate limits, requests and responses.`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="canonical" href="${origin}${address}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script>${THEME_SCRIPT}</script>
${font === undefined ? '' : `<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`}
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="/"><img src="/favicon.svg" alt="" width="28" height="28">${productName}</a><nav aria-label="Site"><a href="/about">About</a><a href="/tutorials">Tutorials</a></nav></header>
<main id="main">
<h1>API reference</h1>
<p class="lead">${escapeHtml(description)}</p>
<ul class="surfaces">
${surfaces.map(renderSurfaceCard).join('\n')}
</ul>
<p>WebSockets, SDK methods and bots are described in <code>docs/api</code> of the source code.</p>
<div id="filter" role="search" hidden><label for="words">Find an endpoint</label><input id="words" type="search" placeholder="message, /api/keys, account.create" autocomplete="off"><output aria-live="polite"></output></div>
${surfaces.map(renderSurface).join('\n')}
</main>
<footer><p>${productName} ${escapeHtml(surfaces[0]?.document.info.version ?? '')} · Apache-2.0</p></footer>
<script>${FILTER_SCRIPT}</script>
</body>
</html>
`;
}

function renderSurfaceCard({ id, title, file, document: { info } }: Surface): string {
  return `<li><h2><a href="#${id}">${title}</a></h2><p>${writeText(info.description)}</p><p><a href="${file}">OpenAPI 3.1 document</a></p></li>`;
}

function renderSurface(surface: Surface): string {
  const { id, title, document } = surface;
  const groups = document.tags.map(({ name }) => ({ name, calls: listCalls(document, name) }));
  const links = groups.map(({ name }) => `<li><a href="#${id}-${name}">${name}</a></li>`).join('');
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details class="schema" id="${id}-schema-${name}"><summary><h4>${name}</h4></summary>${pre(writeType(schema, id))}</details>`,
  );
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<nav class="groups" aria-label="Groups of ${title}"><ul>${links}<li><a href="#${id}-schemas">schemas</a></li></ul></nav>
${groups.map(({ name, calls }) => `<section class="group"><h3 id="${id}-${name}">${name}</h3>\n${calls.map(([path, method, call]) => renderCall(surface, path, method, call)).join('\n')}</section>`).join('\n')}
<section><h3 id="${id}-schemas">schemas</h3>
${schemas.join('\n')}</section>
</section>`;
}

function listCalls({ paths }: OpenApi, tag: string): [string, string, Operation][] {
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls)
      .filter(([, call]) => call.tags.includes(tag))
      .map(([method, call]): [string, string, Operation] => [path, method, call]),
  );
}

function renderCall({ id, base }: Surface, path: string, method: string, call: Operation): string {
  const name = call['x-sdk-method'] ?? call.operationId;
  const words = `${method} ${base}${path} ${call.operationId} ${call.summary}`.toLowerCase();
  const facts: [string, string][] = [
    ['Name', `<code>${escapeHtml(name)}</code>`],
    ['Caller', escapeHtml(call['x-caller'])],
    ['Rate limit', [call['x-rate-limit']].flat().map(writeLimit).join('; ')],
    ['Re-authentication', call['x-reauthentication'] ? 'needed, at most 10 minutes ago' : 'not needed'],
    ['Errors', call['x-errors'].map((error) => `<code>${escapeHtml(error)}</code>`).join(' ')],
  ];
  const own = call.parameters.filter(({ name: given }) => given !== undefined);
  const shown = [
    call.description === undefined ? '' : `<p>${writeText(call.description)}</p>`,
    `<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('')}</dl>`,
    own.length === 0
      ? ''
      : `<h5>Parameters</h5><ul class="parameters">${own.map((one) => renderParameter(one, id)).join('')}</ul>`,
    ...Object.entries(call.requestBody?.content ?? {}).map(
      ([type, { schema }]) => `<h5>Request body <small>${type}</small></h5>${schema ? pre(writeType(schema, id)) : ''}`,
    ),
    ...Object.entries(call.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content = {} }]) => {
        const schema = content['application/json']?.schema;
        return `<h5>Response ${status} <small>${escapeHtml(description)}</small></h5>${schema ? pre(writeType(schema, id)) : ''}`;
      }),
  ];
  const anchor = `${id}-${call.operationId.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-|-$/g, '')}`;
  return `<details class="call" id="${anchor}" data-words="${escapeHtml(words)}"><summary><span class="method ${method}">${method.toUpperCase()}</span> <h4>${escapeHtml(base + path)}</h4>${call.deprecated === true ? ' <small>old path</small>' : ''}<span class="says">${writeText(call.summary)}</span></summary>
<div class="body">${shown.join('')}</div></details>`;
}

function renderParameter(
  { name = '', in: place, required, description, schema }: Operation['parameters'][number],
  id: string,
): string {
  const remark = description ?? schema?.description;
  const text = remark === undefined ? '' : `: ${writeText(remark)}`;
  return `<li><code>${escapeHtml(name)}</code> <small>${place}${required === true ? ', required' : ''}</small> ${schema ? `<code>${writeType(schema, id)}</code>` : ''}${text}</li>`;
}

function writeLimit({ requests, seconds, per }: RateLimit): string {
  const known: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' };
  return `${requests} in ${known[seconds] ?? `${seconds} s`}, per ${per}`.replace(/ in (an?) /, ' $1 ');
}

/** Long lines scroll, also with the keyboard. */
function pre(code: string): string {
  return `<pre tabindex="0"><code>${code}</code></pre>`;
}
