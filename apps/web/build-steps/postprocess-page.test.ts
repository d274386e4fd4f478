import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { lowerScriptPriority } from './lower-script-priority.ts';
import { hashPage } from './hash-page.ts';

function sha(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

it('a page allows its own inline scripts, each once, and none of those with an address', () => {
  const html =
    '<head><script>a()</script><script src="/x.js"></script></head><script type="module">b()\n</script><script>a()</script>';
  expect(hashPage(html).scripts).toEqual([sha('a()'), sha('b()\n')].toSorted());
});

it('a page allows the style attributes it was rendered with, as the browser reads them', () => {
  const html = `<p style="font:&quot;Onest&quot;"></p><script>x = '<i style="no">'</script>`;
  expect(hashPage(html).styles).toEqual([sha('font:"Onest"')]);
});

it('scripts wait for the words, the style and the fonts', () => {
  const html = '<link rel="modulepreload" href="/a.js"/><link rel="preload" as="font" href="/f.woff2"/>';
  expect(lowerScriptPriority(html)).toBe(
    '<link rel="modulepreload" fetchpriority="low" href="/a.js"/><link rel="preload" as="font" href="/f.woff2"/>',
  );
});
