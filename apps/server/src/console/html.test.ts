import { expect, test } from 'vitest';
import { html } from './html.ts';

test('text that is inserted is escaped in contents and attributes, and HTML is kept', () => {
  const note = `<script>alert('1')</script> & "more"`;
  const escaped = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;more&quot;';
  expect(html`<p title="${note}">${note}${html`<b>1</b>`}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}<b>1</b></p>`,
  );
});

test('lists are joined, and what is undefined prints nothing', () => {
  const items = ['<', 2].map((each) => html`<i>${each}</i>`);
  expect(html`<b>${items}${undefined}</b>`.text).toBe('<b><i>&lt;</i><i>2</i></b>');
});
