import { nearest, type Operation } from '@unified/contract';

const LONGEST = 200;

/**
 * Finds the address that a misspelt path most likely means, such as `/vendors` for `/vendor` or `/vendors/`: one
 * that differs in a single segment, which is close to the right one. Undefined where there is none. Parameters stay as sent.
 */
export function createNearestAddress(operations: readonly Operation[]): (path: string) => string | undefined {
  const addresses = [...new Set(operations.flatMap(({ bases, path }) => bases.map((base) => base + path)))];
  const byLength = Map.groupBy(
    addresses.map((address) => address.split('/')),
    ({ length }) => length,
  );
  return (path) => {
    if (path.length > LONGEST) return undefined;
    const sent = path.replace(/\/$/, '').split('/');
    const candidates = byLength.get(sent.length) ?? [];
    const differences = candidates.map((address) => ({ address, at: differing(address, sent) }));
    if (path.endsWith('/') && differences.some(({ at }) => at.length === 0)) return sent.join('/');
    for (const [index, segment] of sent.entries()) {
      const fitting = differences.filter(({ at }) => at.length === 1 && at[0] === index);
      const meant = nearest(segment, [...new Set(fitting.map(({ address }) => address[index] ?? ''))]);
      if (meant !== undefined) return sent.with(index, meant).join('/');
    }
    return undefined;
  };
}

/** Indexes of the segments that are not as the document has them. */
function differing(address: readonly string[], sent: readonly string[]): number[] {
  return address.flatMap((segment, index) => (segment === sent[index] || segment.startsWith('{') ? [] : [index]));
}
