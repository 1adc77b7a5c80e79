/** Marks the end of a text that was cut off. Secrets that are cut off before it are hidden as well; see `TextSearch`. */
export const CUT = '…';

/** A text of a system with at most `length` characters. */
export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}${CUT}` : text;
}

/** The first characters of the content of a response, in one line. */
export function beginningOf(content: string | Buffer, length = 80): string {
  // UTF-8 has at most four bytes for each character.
  const text = typeof content === 'string' ? content : content.toString('utf8', 0, 4 * (length + 1));
  return cutText(text, length).replace(/\s+/g, ' ') || 'It is empty';
}
