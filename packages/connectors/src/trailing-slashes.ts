/** A text without the slashes at its end. A loop, as a pattern needs a time that is quadratic in the number of slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
