import { clientDocument, errorTable, operations } from '@unified/contract';
import { expect, test } from 'vitest';
import { addCodeSamples } from '../src/reference/code-samples.ts';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { addReferenceTargets } from './reference-targets.ts';
import { sitePages } from './site.ts';

const GROUPS = ['Vendors', 'Work Orders', 'Writes'];

/** The document with only a few of its groups, from which the pages are built. */
function someGroups(): ReferenceDocument {
  const document = structuredClone(clientDocument()) as unknown as ReferenceDocument;
  addCodeSamples(document);
  addReferenceTargets(document);
  return {
    ...document,
    tags: document.tags.filter(({ name }) => GROUPS.includes(name)),
    'x-tagGroups': [{ name: 'Some', tags: GROUPS }],
  };
}

const pages = sitePages(someGroups(), '1.2.3');
const pageAt = (path: string) => pages.get(path) ?? expect.fail(`There is no page ${path}`);

test('each guide and each group is a page, with its text as Markdown and in the search', () => {
  for (const path of ['/docs/filtering', '/docs/errors', '/docs/api/vendors', '/docs/api/work-orders']) {
    expect(pageAt(path)).toContain('<main id="content">');
    expect(pageAt(`${path}.md`)).toMatch(/^# /);
    expect(pageAt('/llms.txt')).toContain(`${path}.md)`);
    expect(pageAt('/docs/search.json')).toContain(path);
  }
  expect(pageAt('/docs')).toContain('Release 1.2.3');
  expect(pageAt('/docs/quickstart.md')).toMatch(/^# /);
});

test('every operation of a group is on its page and in its Markdown', () => {
  const own = operations.filter(({ tag }) => tag === 'Work Orders');
  expect(own.length).toBeGreaterThan(10);
  for (const { id, method, path, bases } of own) {
    expect(pageAt('/docs/api/work-orders')).toContain(`id="${id}"`);
    expect(pageAt('/docs/api/work-orders.md')).toContain(
      `\`${method.toUpperCase()} ${bases[0]}${path}\` (operation \`${id}\`)`,
    );
  }
});

/** The part of the Markdown of a group that is about an operation. */
function textOf(page: string, id: string): string {
  const parts = pageAt(page).split(/^## /m);
  return parts.find((part) => part.includes(`(operation \`${id}\`)`)) ?? expect.fail(`${page} has no ${id}`);
}

test('the Markdown of an operation has its parameters, body, states, responses and error codes', () => {
  const create = textOf('/docs/api/vendors.md', 'createVendor');
  expect(create).toContain('Needs a connection token.');
  expect(create).toMatch(/### Parameters\n\n(- .*\n)*- `Idempotency-Key` \(.*header/);
  expect(create).toMatch(/### Body\n\n`application\/json`: object\n\n(- .*\n| {2}- .*\n)*- `name` \(string, required/);
  expect(create).toMatch(/- `currency` \(reference to Currency/);
  expect(create).toMatch(/\*\*default\*\*: .*\n\n(- .*\n)*- 400: .*`SERVICE_INVALID_BODY`/);
  expect(create).toContain('```sh\ncurl -X POST');
  expect(textOf('/docs/api/work-orders.md', 'startWorkOrder')).toMatch(/Allowed if `statusCategory` is `\w+`/);
});

test('the Markdown of a group has the fields of its records, with those of objects within them', () => {
  const [, fields = ''] = pageAt('/docs/api/vendors.md').split('## Fields of Vendor\n\n');
  expect(fields).toMatch(/^- `/);
  expect(fields).toMatch(/^- `name` \(string/m);
  const work = pageAt('/docs/api/writes.md').split('## Fields of WriteRecord\n\n')[1];
  expect(work).toMatch(/^- `status` \(string[^)]*\): .*One of `"planned"`/m);
  expect(work).toMatch(/^ {2}- `/m);
});

test('the errors as Markdown have every code', () => {
  const text = pageAt('/docs/errors.md');
  for (const code of Object.keys(errorTable)) expect(text).toContain(`\n| \`${code}\` |`);
});
