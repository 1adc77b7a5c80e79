import { entityOf, type Operation } from '@unified/contract';
import MiniSearch, { type Options } from 'minisearch';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { errorCodes } from './error-page.ts';
import { FIELDS } from './group-page.ts';
import { slugOf } from './guides.ts';
import { propertiesOf, schemaRef } from './schema.ts';
import { type Group, groupsOf, type SiteMap } from './site-map.ts';
import { synonymsOf } from './synonyms.ts';
import { titleOf } from './webhook-events.ts';

/** Something that the search finds. */
interface Entry {
  /** Its address below `/docs`. */
  readonly id: string;
  readonly title: string;
  /** What it is: `Guide`, `Group`, `Error`, `Event`, `Field` or a method. */
  readonly kind: string;
  /** Where it occurs, such as the name of its page or its path. */
  readonly place: string;
  /** Synonyms of the title. */
  readonly synonyms?: string;
  /** Additional text by which it can be found. */
  readonly text: string;
  /** Multiplies its score. */
  readonly weight: number;
}

/**
 * How entries are indexed and found: by title, by synonyms of words in the title, by path, and by other text. The page searches
 * with the same options.
 */
const options = {
  fields: ['title', 'synonyms', 'place', 'text'],
  storeFields: ['title', 'kind', 'place', 'weight'],
  searchOptions: { boost: { title: 8, synonyms: 6, place: 3 }, prefix: true, combineWith: 'AND' },
} satisfies Options<Entry>;

/** The search index as JSON: its options, and what MiniSearch loads with them. */
export function searchIndex(document: ReferenceDocument, site: SiteMap): string {
  const index = new MiniSearch<Entry>(options);
  const titled = [...guideEntries(site), ...groupEntries(document, site)];
  const fields = groupsOf(site).flatMap((group) => fieldEntries(document, group));
  index.addAll(titled.map((each) => ({ ...each, synonyms: synonymsOf(each.title) })));
  index.addAll([...errorEntries(site), ...fields]);
  return JSON.stringify({ options, index });
}

function guideEntries({ guides }: SiteMap): Entry[] {
  return guides.flatMap(({ menuTitle: name, path, text }) => {
    const [whole = '', ...parts] = text.split(/^(?=##+ )/m);
    return [
      { id: path, title: name, kind: 'Guide', place: 'Guides', text: whole, weight: 3 },
      ...parts.map((part) => {
        const heading = part.slice(0, part.indexOf('\n')).replace(/^#+ /, '');
        return { id: `${path}#${slugOf(heading)}`, title: heading, kind: 'Guide', place: name, text: part, weight: 2 };
      }),
    ];
  });
}

function errorEntries({ errors }: SiteMap): Entry[] {
  return errorCodes().map(({ code, status, when }) => {
    return { id: `${errors.path}#${code}`, title: code, kind: 'Error', place: String(status), text: when, weight: 1 };
  });
}

function groupEntries(document: ReferenceDocument, site: SiteMap): Entry[] {
  return groupsOf(site).flatMap(({ name, path, description, operations, events, record }) => [
    { id: path, title: name, kind: 'Group', place: record ?? name, text: description, weight: 3 },
    ...operations.map((each) => operationEntry(document, path, each)),
    ...events.map((each) => {
      const { description: text = '' } = each.described;
      return { id: `${path}#${each.kind}`, title: each.kind, kind: 'Event', place: titleOf(each), text, weight: 1 };
    }),
  ]);
}

function operationEntry(
  document: ReferenceDocument,
  group: string,
  { id, path, method, deprecated }: Operation,
): Entry {
  const { summary = id, description = '' } = document.paths[path]?.[method] ?? {};
  const weight = deprecated ? 0.5 : 2;
  return {
    id: `${group}#${id}`,
    title: summary,
    kind: method.toUpperCase(),
    place: path,
    text: `${id} ${description}`,
    weight,
  };
}

/** The fields of a group's records, without those that all records have. */
function fieldEntries(document: ReferenceDocument, { record, name, path }: Group): Entry[] {
  if (!record) return [];
  const common = new Set(propertiesOf(document, schemaRef('Entity')).map((each) => each.name));
  const isCommon = (field: string) => common.has(field) && entityOf(record) !== undefined;
  return propertiesOf(document, schemaRef(record))
    .filter((each) => !isCommon(each.name))
    .map((each): Entry => {
      return {
        id: `${path}#${FIELDS}.${each.name}`,
        title: each.name,
        kind: 'Field',
        place: name,
        text: '',
        weight: 0.2,
      };
    });
}
