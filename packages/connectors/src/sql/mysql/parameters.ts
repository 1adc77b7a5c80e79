/** Parameters, and quoted names and strings, in which `$1` is not a parameter. */
const PARTS = /`(?:[^`]|``)*`|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/** A statement with `$1`, `$2`, … as one with `?`, and the values in the order of the text. */
export function positional(
  text: string,
  values: readonly unknown[],
): { readonly text: string; readonly values: readonly unknown[] } {
  const ordered: unknown[] = [];
  const spelled = text.replace(PARTS, (part, number: string | undefined) => {
    if (number === undefined) return part;
    ordered.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return { text: spelled, values: ordered };
}
