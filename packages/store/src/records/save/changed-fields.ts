/**
 * Names of the fields whose values differ between a stored document and the parts of a new one (`"name":value`, in the
 * same order; an empty part: the field is left out). Scans the stored text instead of parsing it: equal values, which are
 * nearly all, cost one comparison. Null if the stored document cannot be scanned, because the contract has changed.
 */
export function changedFields(before: string, names: readonly string[], parts: readonly string[]): string[] | null {
  const changed: string[] = [];
  let at = 1;
  for (let index = 0; index < parts.length; index++) {
    const [name = '', part = ''] = [names[index], parts[index]];
    const key = `"${name}":`;
    const wasThere = before.startsWith(key, at);
    if (!wasThere) {
      if (part !== '') changed.push(name);
      continue;
    }
    const end = at + part.length;
    if (part !== '' && before.startsWith(part, at) && (before[end] === ',' || before[end] === '}')) at = end + 1;
    else {
      changed.push(name);
      at = endOfValue(before, at + key.length) + 1;
    }
  }
  return at === before.length ? changed : null;
}

/** Position after the JSON value that begins at `at`. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === '"') index = endOfString(text, index);
    else if (char === '{' || char === '[') depth++;
    else if (depth === 0 && (char === ',' || char === '}')) return index;
    else if (char === '}' || char === ']') depth--;
  }
  return text.length;
}

/** Position of the quote that closes the string opened at `at`. */
function endOfString(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
