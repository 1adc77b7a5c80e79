/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** A template for HTML. Texts in it are escaped, other templates are not; `false` and `undefined` are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** Escapes text for content and for attributes in double quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A path or name in which a line can break after each slash and underscore, but not within words. */
export function breakable(text: string): Html {
  return new Html(`<span class="breakable">${escaped(text).replaceAll(/(?<=.[/_])(?=[^/_])/g, '<wbr>')}</span>`);
}

/** The text of HTML without its elements. */
export function plainText({ text }: Html): string {
  const plain = text.replaceAll(/<[^>]*>/g, '');
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
