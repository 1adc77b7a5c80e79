import type { StreamStatus } from '@unified/engine';

/** Progress of the first copy of a connected system. */
export interface FirstCopy {
  readonly isComplete: boolean;
  readonly text: string;
}

/** Describes in one line what is still being copied, or the result. `seconds` is the time since the copy was first checked. */
export function firstCopy(name: string, streams: readonly StreamStatus[], seconds: number): FirstCopy {
  const copied = streams.filter(({ lastSuccessAt }) => lastSuccessAt !== null);
  const failed = streams.filter(({ lastSuccessAt, error }) => lastSuccessAt === null && error !== null);
  const rows = counted(sum(streams, 'rowsSeen'), 'row');
  if (copied.length + failed.length === streams.length) {
    const took = `${Math.round(seconds)} s`;
    const [first] = failed;
    if (!first) return { isComplete: true, text: `${name}: everything is copied, ${rows} after ${took}` };
    const missing = `${counted(failed.length, 'table')} of ${streams.length} could not be copied`;
    return { isComplete: true, text: `${name}: ${missing}, such as ${first.stream}: ${first.error}` };
  }
  const begun = streams.filter(({ rowsSeen, runningSince }) => rowsSeen > 0 || runningSince !== null);
  const left = sum(streams, 'pendingRelations');
  const relations = left > 0 ? `, ${counted(left, 'record')} waiting for relations` : '';
  return {
    isComplete: false,
    text: `${name}: copying, table ${begun.length} of ${streams.length}, ${rows} so far${relations}`,
  };
}

function sum(streams: readonly StreamStatus[], what: 'rowsSeen' | 'pendingRelations'): number {
  return streams.reduce((total, stream) => total + stream[what], 0);
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
