import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Content codings of responses, the preferred one first if a client has no preference. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** The codings that a client accepts. */
export interface AcceptedCodings {
  /** The one to compress with; undefined if the client prefers none. */
  readonly coding: Coding | undefined;
  /** Whether a response may also be sent without a coding. */
  readonly takesPlain: boolean;
}

const PLAIN = 'identity';
const PREFERRED: readonly string[] = [...CODINGS, PLAIN];

/** The types of the library are those of an older release, which had no preference of the server. */
interface WithPreference {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

function encodingsOf(negotiator: Negotiator): string[] {
  return (negotiator as WithPreference).encodings(PREFERRED, { preferred: PREFERRED });
}

/** Clients send few different values; others are read again for each request. */
const remembered = new LRUCache<string, AcceptedCodings>({ max: 200 });
const LONGEST_REMEMBERED = 200;

/**
 * Reads `Accept-Encoding` as RFC 9110, section 12.5.3, describes: the coding with the greatest weight, by our preference
 * among equal ones. Without the header, and for codings that the service does not have, responses are plain.
 */
export function acceptedCodings(header: string | undefined): AcceptedCodings {
  if (header === undefined) return { coding: undefined, takesPlain: true };
  const known = remembered.get(header);
  if (known) return known;
  const accepted = encodingsOf(new Negotiator({ headers: { 'accept-encoding': header } }));
  const read = {
    coding: CODINGS.find((coding) => coding === accepted[0]),
    takesPlain: accepted.includes(PLAIN),
  };
  if (header.length <= LONGEST_REMEMBERED) remembered.set(header, read);
  return read;
}
