import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { lowerScriptPriority } from './lower-script-priority.ts';
import { hashPage } from './hash-page.ts';

function sha(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

it('the policy lists each inline script of a page once, and no script with a `src`', () => {
  const html =
    '<head><script>a()</script><script src="/x.js"></script></head><script type="module">b()\n</script><script>a()</script>';
  expect(hashPage(html).scripts).toEqual([sha('a()'), sha('b()\n')].toSorted());
});

it('the policy lists the rendered style attributes, decoded as the browser does', () => {
  const html = `<p style="font:&quot;Onest&quot;"></p><script>x = '<i style="no">'</script>`;
  expect(hashPage(html).styles).toEqual([sha('font:"Onest"')]);
});

it('scripts have a lower priority than texts, styles and fonts', () => {
  const html = '<link rel="modulepreload" href="/a.js"/><link rel="preload" as="font" href="/f.woff2"/>';
  expect(lowerScriptPriority(html)).toBe(
    '<link rel="modulepreload" fetchpriority="low" href="/a.js"/><link rel="preload" as="font" href="/f.woff2"/>',
  );
});
