/**
 * Draws the icons, and the pictures that other sites show for a link to ours, from the logo, the design tokens and the
 * texts of the application. Run it after a change of these and commit the result: `node e2e/screenshots/make-art.ts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, type Page } from '@playwright/test';

const web = resolve(import.meta.dirname, '../../apps/web');
const out = join(web, 'public');
const fonts = join(web, 'node_modules/@fontsource-variable/onest/files');

async function readFonts(): Promise<string> {
  const faces = await Promise.all(
    ['latin', 'cyrillic', 'cyrillic-ext'].map(async (subset) => {
      const file = await readFile(join(fonts, `onest-${subset}-wght-normal.woff2`), 'base64');
      return `@font-face { font-family: Onest-${subset}; font-weight: 100 900; src: url(data:font/woff2;base64,${file}) }`;
    }),
  );
  return faces.join('\n');
}

interface Words {
  hero: { near: string; closed: string };
}

function socialPage(mark: string, { hero }: Words, style: string): string {
  return `<style>${style}
    body { margin: 0; width: 1200px; height: 630px; background: var(--bg); color: var(--text); position: relative; overflow: hidden;
      font-family: Onest-latin, Onest-cyrillic, Onest-cyrillic-ext; }
    .sun { position: absolute; right: -140px; top: -140px; width: 560px; height: 560px; border-radius: 50%; background: var(--sun-soft); }
    .big { position: absolute; right: 70px; bottom: 60px; width: 330px; }
    .name { position: absolute; left: 80px; top: 72px; display: flex; gap: 22px; align-items: center; font-size: 46px; font-weight: 700; letter-spacing: -1px; }
    .name svg { width: 76px; }
    h1 { position: absolute; left: 80px; top: 210px; width: 720px; margin: 0; font-size: 70px; line-height: 1.12; font-weight: 750; letter-spacing: -1.8px; }
    h1 span { color: var(--accent); }
    </style>
    <div class="sun"></div><div class="big">${mark}</div>
    <div class="name">${mark} Dostar</div><h1>${hero.near} <span>${hero.closed}</span></h1>`;
}

function iconPage(mark: string, style: string, look: string): string {
  return `<style>${style} html, body { margin: 0; height: 100%; background: transparent }
    div { box-sizing: border-box; height: 100%; ${look} } svg { display: block; width: 100%; height: 100% }</style><div>${mark}</div>`;
}

async function shoot(page: Page, html: string, size: { width: number; height: number }): Promise<Buffer> {
  await page.setViewportSize(size);
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return await page.screenshot({ omitBackground: true });
}

/** An ICO file: a header around a PNG. */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const mark = await readFile(join(out, 'favicon.svg'), 'utf8');
const style = (await readFile(join(web, 'src/ui/tokens.css'), 'utf8')) + (await readFonts());
const onPaper = 'background: var(--bg); padding: 12%';
// A phone may crop a maskable icon to its inner four fifths.
const maskable = 'background: var(--bg); padding: 20%';

await mkdir(join(out, 'icons'), { recursive: true });
await mkdir(join(out, 'social'), { recursive: true });
await using browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();

const icons: [string, number, string][] = [
  ['icons/icon-192.png', 192, ''],
  ['icons/icon-512.png', 512, ''],
  ['icons/maskable-512.png', 512, maskable],
  ['icons/apple-touch-icon.png', 180, onPaper],
];
for (const [file, size, look] of icons) {
  await writeFile(join(out, file), await shoot(page, iconPage(mark, style, look), { width: size, height: size }));
}
const small = await shoot(page, iconPage(mark, style, ''), { width: 32, height: 32 });
await writeFile(join(out, 'favicon.ico'), toIco(small, 32));

for (const code of ['en', 'kz', 'ru']) {
  const words = JSON.parse(await readFile(join(web, `src/locales/${code}/landing.json`), 'utf8')) as Words;
  const picture = await shoot(page, socialPage(mark, words, style), { width: 1200, height: 630 });
  await writeFile(join(out, `social/${code}.png`), picture);
}
