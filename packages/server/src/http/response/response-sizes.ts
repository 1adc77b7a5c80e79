import { LRUCache } from 'lru-cache';

/** How much memory a response is expected to take while it is rendered, judged by those before it. */
interface ResponseSizes {
  /** Bytes for a response of so many records. */
  expected(kind: string, records: number): number;
  /** Notes the bytes of a response that was rendered. */
  learn(kind: string, records: number, bytes: number): void;
}

/** Bytes of a record of which none was seen yet. */
const FIRST = 4_000;
/** Pages with few records on them may not make the next full one look small. */
const LEAST = 1_000;
/** The rows as PostgreSQL sent them, the text that they are joined to, and what is sent. */
const COPIES = 3;
/** How quickly a large record of the past is forgotten. */
const FADING = 1 / 16;
const MOST_REMEMBERED = 10_000;

/** Remembers the latest kinds. */
export function responseSizes(): ResponseSizes {
  const perRecord = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return {
    expected: (kind, records) => COPIES * records * Math.max(LEAST, perRecord.get(kind) ?? FIRST),
    learn(kind, records, bytes) {
      const now = bytes / records;
      const before = perRecord.get(kind) ?? 0;
      perRecord.set(kind, now >= before ? now : before - (before - now) * FADING);
    },
  };
}
