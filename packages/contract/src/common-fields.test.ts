import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flatten } from '../generate/flatten.ts';
import type { Document } from '../generate/openapi.ts';
import { clientDocument } from './index.ts';

const document = clientDocument() as unknown as Document;
const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

/** A field that business systems have in common, and its name in the document; `-` if it is left out. */
interface CommonField {
  readonly entity: string;
  readonly field: string;
  readonly name: string;
}

function commonFields(): CommonField[] {
  const [, ...rows] = read('openapi/common-fields.tsv').trimEnd().split('\n');
  return rows.map((row) => {
    const [entity = '', field = '', name = ''] = row.split('\t');
    return { entity, field, name };
  });
}

const fields = commonFields();
const isLeftOut = ({ name }: CommonField) => name === '-';

test('the document has every common field of business systems that is not left out on purpose', () => {
  const named = fields.filter((each) => !isLeftOut(each));
  const absent = named.filter(({ entity, name }) => {
    const schema = document.components.schemas?.[entity];
    return !(schema && flatten(document, schema).properties?.[name]);
  });
  expect(absent.map(({ entity, field, name }) => `${entity}.${field}: ${name} is absent`)).toEqual([]);
  expect(named.length).toBeGreaterThan(1_600);
});

test('a decision states why a common field is left out', () => {
  const decision = read('docs/decisions/0045-fields-left-out.md');
  const unexplained = fields.filter((each) => isLeftOut(each) && !decision.includes(`\`${each.field}\``));
  expect(unexplained.map(({ entity, field }) => `${entity}.${field}`)).toEqual([]);
  expect(fields.filter(isLeftOut)).not.toEqual([]);
});
