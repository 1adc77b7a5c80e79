import { expect, it } from 'vitest';
import { chartOf } from './chart-points.ts';

const columns = [
  { name: 'status', type: 'text' },
  { name: 'orders', type: 'number' },
] as Parameters<typeof chartOf>[0]['columns'];

it('shows names with numbers as bars', () => {
  expect(
    chartOf({
      columns,
      rows: [
        ['open', 3],
        [null, 1],
      ],
    }),
  ).toEqual({
    kind: 'bar',
    points: [
      { label: 'open', value: 3 },
      { label: '–', value: 1 },
    ],
  });
});

it('shows days with numbers as a line', () => {
  expect(
    chartOf({
      columns,
      rows: [
        ['2026-11-01', 3],
        ['2026-11-02', 4],
      ],
    })?.kind,
  ).toBe('line');
});

it.each([
  ['one row', [['open', 3]]],
  [
    'texts',
    [
      ['open', 'x'],
      ['closed', 'y'],
    ],
  ],
  ['more points than a chart can show', Array.from({ length: 101 }, (_, index) => [String(index), index])],
])('shows no chart of %s', (_, rows) => {
  expect(chartOf({ columns, rows })).toBeUndefined();
});
