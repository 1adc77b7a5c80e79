import { expect, it } from 'vitest';
import type { EntityFacts } from '../../contract/entity-facts.ts';
import { completionAt, neededFacts, sourcesOf } from './completion.ts';

const field = (name: string, kind = 'text', targets?: string[]) => ({
  ...{ name, kind, nullable: false, description: '', operators: [], sortable: true },
  ...(targets && { targets }),
});
const facts = new Map(
  [
    { name: 'Vendor', fields: [field('name'), field('notes'), field('currency', 'relation', ['Currency'])] },
    { name: 'Currency', fields: [field('code'), field('name')] },
  ].map((each) => [each.name, each as unknown as EntityFacts]),
);

/** The names that are proposed at the character `|`. */
function proposed(marked: string): string[] {
  const caret = marked.indexOf('|');
  return completionAt(marked.replace('|', ''), caret, facts).options.map(({ text }) => text);
}

it('proposes tables after from', () => {
  expect(proposed('select name from vendo|')).toEqual(['vendors']);
  expect(proposed('select name from work_ord|')).toContain('work_orders');
});

it('proposes the fields of the tables of the statement', () => {
  expect(proposed('select n| from vendors')).toEqual(['name', 'notes']);
  expect(proposed('select name from vendors where cur|')).toEqual(['currency']);
});

it('follows relations', () => {
  const statement = 'select currency.c from vendors';
  const caret = 'select currency.c'.length;
  expect(neededFacts(statement, caret, facts)).toEqual(['Vendor', 'Currency']);
  expect(completionAt(statement, caret, facts)).toEqual({
    from: caret - 1,
    options: [{ text: 'code', detail: 'text' }],
  });
});

it('proposes nothing where nothing was typed, or without a table', () => {
  expect(proposed('select name, | from vendors')).toEqual([]);
  expect(proposed('select n|')).toEqual([]);
});

it('knows the tables of a statement', () => {
  expect(sourcesOf('SELECT a FROM vendors JOIN currencies ON true')).toEqual(
    expect.arrayContaining(['Vendor', 'Currency']),
  );
});
