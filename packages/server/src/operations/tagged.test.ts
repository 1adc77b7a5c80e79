import { expect, it } from 'vitest';
import type { DataContext } from './context.ts';
import { expectedHashes, listTag, notModified, recordTag } from './tagged.ts';

const parts = {
  publicUrl: 'http://a',
  connectionId: 'c',
  address: '/v4/vendors',
  largestResponse: 1_000,
  state: '1.5',
  access: null as DataContext['access'],
};

/** A context with the parts that tags depend on. */
function contextOf({ publicUrl, connectionId, ...others }: Partial<typeof parts>, ifMatch?: string): DataContext {
  const preconditions = { ifMatch, ifNoneMatch: ifMatch };
  return { scope: { publicUrl, connectionId }, preconditions, ...others } as unknown as DataContext;
}

const tagOf = (changed: Partial<typeof parts>) => {
  const all = { ...parts, ...changed };
  return listTag(contextOf(all), all.state);
};

it('the tag of a list is weak, and the same for the same response', () => {
  expect(tagOf({})).toMatch(/^W\/"[\w-]{27}"$/);
  expect(tagOf({})).toBe(tagOf({}));
});

it.each<[string, Partial<typeof parts>]>([
  ['the public address, which links contain', { publicUrl: 'http://b' }],
  ['the connection', { connectionId: 'd' }],
  ['the query', { address: '/v4/vendors?page=2' }],
  ['the limit at which a page ends early', { largestResponse: 2_000 }],
  ['the records', { state: '2.5' }],
  ['what the token gives access to', { access: [{ entity: 'Vendor' }] }],
])('the tag of a list depends on %s', (_name, changed) => {
  expect(tagOf(changed)).not.toBe(tagOf({}));
});

it('the tag of a record begins with the hash of its stored text, which If-Match is compared with', () => {
  const [whole, part, other] = [
    recordTag({}, 'stored', 'stored'),
    recordTag({}, 'stored', 'part'),
    recordTag({}, 'new', 'part'),
  ];
  expect(new Set([whole, part, other]).size).toBe(3);
  const [hash] = expectedHashes(contextOf({}, whole), {}) ?? [];
  expect(expectedHashes(contextOf({}, `${part}, ${other}`), {})?.[0]).toBe(hash);
  expect(expectedHashes(contextOf({}), {})).toBeUndefined();
});

it('the tag of a record that is returned in part does not depend on the other fields, and matches no If-Match', () => {
  const [tag, same] = [recordTag({ isPartial: true }, 'a', 'part'), recordTag({ isPartial: true }, 'b', 'part')];
  expect(same).toBe(tag);
  expect(expectedHashes(contextOf({}, tag), {})).toEqual([]);
});

it('a response that the client has is 304, with the tag that it sent and what caches need', () => {
  const tag = recordTag({}, 'stored', 'stored');
  const sent = tag.replace(/"$/, '-gzip"');
  expect(notModified(contextOf({}, sent), tag)).toEqual({
    status: 304,
    headers: { ETag: sent, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' },
  });
  expect(notModified(contextOf({}, '"other"'), tag)).toBeUndefined();
});
