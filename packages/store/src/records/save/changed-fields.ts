/** A field of a document; `prefix` is its name as JSON, with the colon. */
export interface DocumentField {
  readonly name: string;
  readonly prefix: string;
}

/** A new document, and the names of the fields in which it differs from the stored one. */
export interface Revision {
  readonly doc: string;
  readonly changed: readonly string[];
}

/**
 * Compares a stored document with the values of the new one: `jsonOf` returns the JSON of the field with this index, or an
 * empty text if the field is left out. Scans the stored text instead of parsing it: nearly all values are equal; they cost one
 * comparison and are copied together. Null if the stored document cannot be scanned, because the contract has changed.
 */
export function revise(
  before: string,
  fields: readonly DocumentField[],
  jsonOf: (index: number) => string,
): Revision | null {
  const changed: string[] = [];
  let [doc, at, equalFrom, equalTo] = ['{', 1, 1, 1];
  const add = (text: string) => {
    if (text !== '') doc += doc === '{' ? text : `,${text}`;
  };
  for (let index = 0; index < fields.length; index++) {
    const { name, prefix } = fields[index] as DocumentField;
    const value = jsonOf(index);
    const wasThere = before.startsWith(prefix, at);
    const valueAt = at + prefix.length;
    if (wasThere && value !== '' && isValueAt(before, value, valueAt)) {
      equalTo = valueAt + value.length;
      at = equalTo + 1;
      continue;
    }
    if (!wasThere && value === '') continue;
    changed.push(name);
    add(before.slice(equalFrom, equalTo));
    if (value !== '') add(prefix + value);
    if (wasThere) at = endOfValue(before, valueAt) + 1;
    equalFrom = equalTo = at;
  }
  add(before.slice(equalFrom, equalTo));
  if (at !== before.length) return null;
  return { doc: changed.length === 0 ? before : `${doc}}`, changed };
}

function isValueAt(text: string, value: string, at: number): boolean {
  if (!text.startsWith(value, at)) return false;
  const next = text[at + value.length];
  return next === ',' || next === '}';
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
