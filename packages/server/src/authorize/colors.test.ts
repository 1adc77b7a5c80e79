import { expect, test } from 'vitest';
import { colorSheet, contrast, parsed } from './colors.ts';

const COLORS = ['#000000', '#ffffff', '#ffee00', '#0a5c8f', '#ff0000', '#808080', '#00ff00', '#767676'];

test('the contrast is computed as in WCAG', () => {
  expect(contrast(parsed('#767676'), parsed('#ffffff'))).toBeCloseTo(4.54, 2);
});

test.each(COLORS)('%s is readable on both pages, and so is the text on it', (color) => {
  const found = [...colorSheet(color).matchAll(/--accent:(#\w{6});--on-accent:(#\w{6})/g)];
  const papers = ['#ffffff', '#171b22'];
  expect(found.length).toBe(2);
  for (const [index, [, accent = '', text = '']] of found.entries()) {
    expect(contrast(parsed(accent), parsed(papers[index] ?? ''))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(parsed(accent), parsed(text))).toBeGreaterThanOrEqual(4.5);
  }
});
