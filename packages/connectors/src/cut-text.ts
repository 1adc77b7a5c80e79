/** Marks the end of a text that was cut off. Secrets that are cut off before it are hidden as well; see `TextSearch`. */
export const CUT = '…';

/** A text of a system with at most `length` characters. */
export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}${CUT}` : text;
}
