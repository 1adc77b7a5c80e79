import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Content codings of responses. If a client has no preference, the first one is used. */
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

/** The types of the library describe an older release, in which the server could not state a preference. */
interface WithPreference {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

function encodingsOf(negotiator: Negotiator): string[] {
  return (negotiator as WithPreference).encodings(PREFERRED, { preferred: PREFERRED });
}

/** Clients send few different values. Others are parsed again for each request. */
const remembered = new LRUCache<string, AcceptedCodings>({ max: 200 });
const LONGEST_REMEMBERED = 200;

/**
 * Reads `Accept-Encoding` as described in RFC 9110, section 12.5.3: returns the coding with the greatest weight, and among
 * equal ones the one that we prefer. Without the header, or if the client accepts none of our codings, responses are not
 * compressed.
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
