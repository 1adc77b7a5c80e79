import { expect, test } from 'vitest';
import { breakable, html, plainText } from './html.ts';

test('texts in a template are escaped, other templates are not', () => {
  expect(html`<p title="${'"a"'}">${['<b>', html`<i>${1}</i>`, false, undefined]}</p>`.text).toBe(
    '<p title="&quot;a&quot;">&lt;b&gt;<i>1</i></p>',
  );
});

test('the text of a template is what a reader sees', () => {
  expect(plainText(html`array of <a href="${'a"b'}">${'<Currency> & "co"'}</a>`)).toBe('array of <Currency> & "co"');
});

test('a line breaks after a slash or an underscore of a path, not within its words', () => {
  const path = breakable('/web-hooks/{a&b}/SERVICE_GONE');
  expect(path.text).toBe('<span class="breakable">/web-hooks/<wbr>{a&amp;b}/<wbr>SERVICE_<wbr>GONE</span>');
  expect(plainText(path)).toBe('/web-hooks/{a&b}/SERVICE_GONE');
});
