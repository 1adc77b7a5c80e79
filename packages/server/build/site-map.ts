import { posix } from 'node:path';
import { type Operation, operations, resolve } from '@unified/contract';
import type { DocumentResponse, DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';
import { type Guide, guidesOf, slugOf } from './guides.ts';
import { nameOf } from './schema.ts';
import { eventsOf, type WebhookEvent } from './webhook-events.ts';

/** The operations and events of one tag: one page. */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  readonly events: readonly WebhookEvent[];
  /** Name of the schema of the records that most of its operations work with. */
  readonly record?: string;
}

/** Groups that the menu shows under one heading. */
export interface Area {
  readonly name: string;
  readonly groups: readonly Group[];
}

/** All pages of the reference, in the order of the menu. */
export interface SiteMap {
  readonly guides: readonly Guide[];
  readonly errors: Guide;
  /** Areas with operations that are served come first, then those without, then deprecated ones. */
  readonly areas: readonly Area[];
}

/** The pages that the document needs. */
export function siteMap(document: ReferenceDocument): SiteMap {
  const guides = guidesOf(document.info);
  const errors = guides.find(({ title }) => title === 'Errors');
  if (!errors) throw new Error('info.description has no section Errors.');
  return { guides, errors, areas: areasOf(document).toSorted((one, other) => rank(one) - rank(other)) };
}

function areasOf(document: ReferenceDocument): Area[] {
  const groups = new Map(document.tags.map(({ name, description }) => [name, groupOf(document, name, description)]));
  return document['x-tagGroups'].flatMap(({ name, tags }) => {
    const known = tags.flatMap((tag) => groups.get(tag) ?? []);
    const current = known.filter((group) => !isDeprecated(group));
    const old = known.filter(isDeprecated);
    return [
      ...(current.length > 0 ? [{ name, groups: current }] : []),
      ...(old.length > 0 ? [{ name: 'Deprecated', groups: old }] : []),
    ];
  });
}

function groupOf(document: ReferenceDocument, name: string, description: string): Group {
  const own = operations.filter(({ tag }) => tag === name);
  const current = own.filter(({ deprecated }) => !deprecated);
  const entity = current.find(({ kind }) => kind === 'list' || kind === 'get')?.entity;
  const record = entity ?? current.map((each) => returnedRecord(document, each)).find((each) => each !== undefined);
  const events = eventsOf(document, name);
  return { name, description, path: `/docs/api/${slugOf(name)}`, operations: own, events, ...(record && { record }) };
}

/** The schema of the record that an operation reads by its identifier, such as `WriteRecord`. */
function returnedRecord(document: ReferenceDocument, { method, path }: Operation): string | undefined {
  const response = method === 'get' && path.endsWith('}') ? document.paths[path]?.get?.responses?.['200'] : undefined;
  const schema = response && resolve<DocumentResponse>(document, response).content?.['application/json']?.schema;
  return schema && (nameOf(resolve<DocumentSchema>(document, schema).properties?.data ?? {}) ?? nameOf(schema));
}

function rank({ groups }: Area): number {
  return groups.every(isDeprecated) ? 1 : 0;
}

/** Whether the group has only deprecated operations. */
export function isDeprecated({ operations: own, events }: Group): boolean {
  return events.length === 0 && own.every(({ deprecated }) => deprecated);
}

/** All groups of a site. */
export function groupsOf({ areas }: SiteMap): Group[] {
  return areas.flatMap(({ groups }) => groups);
}

/**
 * The address of a page as seen from another page, for example `../filtering#operators` from `/docs/api/vendors`. The site has
 * no absolute addresses, because a reverse proxy can serve it under another path.
 */
export function linkFrom(from: string, to: string): string {
  const [path = '', anchor] = to.split('#');
  const relative = posix.join(posix.relative(posix.dirname(from), posix.dirname(path)), posix.basename(path));
  return anchor === undefined ? relative : `${path === from ? '' : relative}#${anchor}`;
}
