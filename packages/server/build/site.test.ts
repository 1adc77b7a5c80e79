import { clientDocument, errorTable, operations } from '@unified/contract';
import { expect, test } from 'vitest';
import { addCodeSamples } from '../src/reference/code-samples.ts';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { addReferenceTargets } from './reference-targets.ts';
import { sitePages } from './site.ts';

const GROUPS = ['Vendors', 'Work Orders', 'Writes', 'Webhook Events'];

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

test('every event is on a page, in its Markdown and in the search, and guides that name it lead to it', () => {
  const kinds = Object.keys(clientDocument().webhooks ?? {});
  expect(kinds.length).toBeGreaterThan(10);
  const shown = pageAt('/docs/api/webhook-events');
  const parts = pageAt('/docs/api/webhook-events.md').split(/^## /m).slice(1);
  expect(parts.map((part) => /^Event `(.*)`$/m.exec(part)?.[1])).toEqual(kinds);
  for (const kind of kinds) {
    expect(shown).toContain(`<h2 id="${kind}">`);
    expect(pageAt('/docs/search.json')).toContain(`/docs/api/webhook-events#${kind}"`);
  }
  expect(pageAt('/docs/webhooks')).toContain('href="api/webhook-events#webhook_endpoint.disabled"');
});

test('an event is described by its headers, its body with an example, and the responses of an endpoint', () => {
  const [, part = ''] = pageAt('/docs/api/webhook-events.md').split('## A record was updated\n');
  const [text] = part.split(/^## /m);
  expect(text).toMatch(
    /### Headers\n\n- `webhook-id` \(uuid, header\): .*\n- `webhook-timestamp` .*\n- `webhook-signature` /,
  );
  expect(text).toMatch(
    /### Body\n\n`application\/json`: object\n\n- `type` .*"record.updated".*\n- `timestamp` .*\n- `data` /,
  );
  expect(text).toMatch(/^ {2}- `connectionId` .*\n {2}- `change` .*\n( {4}- .*\n)* {4}- `fields` /m);
  expect(text).toContain('```json\n{"type":"record.updated",');
  expect(text).toMatch(/\*\*204\*\*: .*\n\n\*\*410\*\*: /);
  const shown = pageAt('/docs/api/webhook-events');
  expect(shown).toContain('<code>connectionId</code>');
  expect(shown).toContain('&quot;record.updated&quot;');
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
