/** `work-orders` is `WorkOrders`. */
export function pascal(kebab: string): string {
  return kebab.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `taxonomies` is `taxonomy`, `bills-of-material` is `bill-of-material`. */
export function singular(kebab: string): string {
  const [, head = '', tail = ''] = /^(.+?s)(-of-.+)$/.exec(kebab) ?? [];
  return head ? singularWord(head) + tail : singularWord(kebab);
}

function singularWord(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/(?<!s)s$/, '');
}
