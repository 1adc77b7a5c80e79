import { invalidBody } from './sent-settings.ts';

/** Texts that an application keeps with a connection, by name. */
export type Metadata = Readonly<Record<string, string>>;

/** Texts to set; null removes one. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

/** Maximum number of texts per connection. */
const MOST = 50;
/** Maximum number of characters of a name. */
const LONGEST_NAME = 40;

/** The metadata of a connection after these changes. Throws if there would be more texts or longer names than allowed. */
export function changedMetadata(before: Metadata, changes: MetadataChanges): Metadata {
  const isLong = (name: string) => name === '' || [...name].length > LONGEST_NAME;
  const wrong = Object.keys(changes).filter(isLong);
  if (wrong.length > 0) throw invalidBody(wrong.map(wrongName));
  const all = Object.entries({ ...before, ...changes });
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > MOST) {
    const message = `The connection would have ${kept.length} entries of metadata, and at most ${MOST} are allowed. Remove entries with null.`;
    throw invalidBody([{ path: 'body/metadata', message }]);
  }
  return Object.fromEntries(kept);
}

function wrongName(name: string) {
  const message = `The name "${name.slice(0, LONGEST_NAME)}" has ${[...name].length} characters. Use 1 to ${LONGEST_NAME}.`;
  return { path: 'body/metadata', message };
}
