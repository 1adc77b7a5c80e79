import { ServiceError } from '@unified/contract';

/** Bytes from `start` to `end` (exclusive), and whether they are only part of the file. */
export interface PartOfFile {
  readonly start: number;
  readonly end: number;
  readonly isPart: boolean;
}

const ONE_RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/i;

/**
 * The part of a file of `size` bytes that a `Range` header requests: `bytes=0-99`, `bytes=100-`, or `bytes=-100` for the last
 * hundred bytes. Any other value, including several ranges, means the whole file. Throws `RangeNotSatisfiable` if the range
 * starts after the end.
 */
export function partOf(range: string | undefined, size: number): PartOfFile {
  const [asked, first, last] = ONE_RANGE.exec(range?.trim() ?? '') ?? [];
  const isBackwards = first !== undefined && last !== undefined && Number(last) < Number(first);
  if (asked === undefined || (first === undefined && last === undefined) || isBackwards)
    return { start: 0, end: size, isPart: false };
  const start = first === undefined ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === undefined || last === undefined ? size : Math.min(size, Number(last) + 1);
  if (start >= size) throw new RangeNotSatisfiable(size);
  return { start, end, isPart: true };
}

/** The error for a range that starts after the end of the file. */
export class RangeNotSatisfiable extends ServiceError {
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    const message = `The file has ${sizeBytes} bytes. Request bytes within it.`;
    super('SERVICE_RANGE_NOT_SATISFIABLE', message, { details: [{ sizeBytes }] });
    this.sizeBytes = sizeBytes;
  }
}
