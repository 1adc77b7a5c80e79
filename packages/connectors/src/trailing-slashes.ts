/** A text without trailing slashes. Uses a loop, because a regular expression takes quadratic time for many slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
