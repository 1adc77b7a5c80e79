import { expect, test } from 'vitest';
import type { Stream } from '../platform.ts';
import { restOptions, type StreamOptions } from './options.ts';

const list = { address: '/things' };
const changes = { parameter: 'since' };
const deleted = { address: '/log', parameters: {}, rows: 'entries', days: 30 };
const parents = { stream: 'things', as: 'thing' };

/** Problems of a platform whose streams have these options. */
function problemsOf(streams: Readonly<Record<string, Partial<StreamOptions> & { cursor?: string }>>): string[] {
  const described = Object.entries(streams).map(([name, { cursor, ...own }], order): Stream => {
    const options = { list, ...own } as unknown as Stream['options'];
    return { name, key: ['id'], order, ...(cursor && { cursor }), deletes: 'diff', pageSize: 3, options };
  });
  const options = { authentication: { bearer: true }, check: '/me' };
  try {
    restOptions.platform({ id: 'acme', options, streams: described });
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').map((line) => line.trim()) : [];
  }
}

test('a cursor and the way changes are requested must both be given', () => {
  const things = { cursor: 'updated', changes };
  expect(problemsOf({ things, parts: { cursor: 'updated', parents }, codes: {} })).toEqual([]);
  expect(problemsOf({ things, parts: { parents } })).toEqual([]);
  expect(
    problemsOf({
      things,
      parts: { cursor: 'updated', parents },
      screws: { cursor: 'updated', parents: { stream: 'parts', as: 'part' } },
    }),
  ).toEqual([]);
});

test.each([
  ['changes without a cursor', { things: { changes } }, 'streams.things.cursor'],
  ['a cursor without changes', { things: { cursor: 'updated' } }, 'streams.things.options.changes'],
  [
    'a list of parents with its own changes',
    { things: { cursor: 'updated', changes }, parts: { cursor: 'updated', changes, parents } },
    'streams.parts.options.changes',
  ],
  [
    'a list of parents with a cursor whose parent has no changes',
    { things: {}, parts: { cursor: 'updated', parents } },
    'streams.parts.cursor',
  ],
  [
    'a list of deleted rows, without a way to read a row',
    { things: { cursor: 'updated', changes, deleted } },
    'streams.things.options.deleted',
  ],
  [
    'a list of deleted rows with only a part of the key',
    { things: { cursor: 'updated', changes, deleted: { ...deleted, key: ['a', 'b'] }, detail: list } },
    'streams.things.options.deleted.key',
  ],
  ['parents of each other', { things: { cursor: 'updated', parents } }, 'streams.things.cursor'],
])('%s is refused', (_, streams, field) => {
  const problems = problemsOf(streams);
  expect(problems.join('\n')).toContain(`acme/platform.yaml: ${field}`);
});
