import { LRUCache } from 'lru-cache';

/** Predicts the memory that rendering a response takes, by earlier responses. */
interface ResponseSizes {
  /** Bytes for a response with this number of records. */
  expected(kind: string, records: number): number;
  /** Records the size in bytes of a rendered response. */
  learn(kind: string, records: number, bytes: number): void;
}

/** Bytes per record before the first response. */
const FIRST = 4_000;
/** Lower limit, so that pages with few records do not lead to an estimate that is too low for a full one. */
const LEAST = 1_000;
/** The rows from PostgreSQL, the joined text, and the bytes sent. */
const COPIES = 3;
/** Rate at which an estimate decreases. */
const FADING = 1 / 16;
const MOST_REMEMBERED = 10_000;

/** Keeps the most recent kinds. */
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
