import { expect, test } from 'vitest';
import { guidesOf } from './guides.ts';

const infoOf = (description: string) => ({ title: 'API', version: '1.0.0', summary: '', description });

test('each section of the description is a guide, and comments in code do not begin one', () => {
  const guides = guidesOf(
    infoOf('Hello.\n\n# Quickstart\n\n```sh\n# a comment\nrun\n```\n\n# Lists and paging\n\nText.'),
  );
  expect(guides).toEqual([
    { title: 'API', menuTitle: 'Quickstart', path: '/docs', text: 'Hello.\n\n```sh\n# a comment\nrun\n```' },
    { title: 'Lists and paging', menuTitle: 'Lists and paging', path: '/docs/lists-and-paging', text: 'Text.' },
  ]);
  expect(() => guidesOf(infoOf('Hello.\n\n# Errors\n\nText.'))).toThrow('section Quickstart');
});
