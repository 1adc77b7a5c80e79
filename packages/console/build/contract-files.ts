import { mkdir, rm, writeFile } from 'node:fs/promises';
import { clientDocument, dataPrefix, type Entity, entities, operations } from '@unified/contract';
import type { Catalog, CatalogEntity } from '../src/contract/entity-catalog.ts';
import type { EntityFacts } from '../src/contract/entity-facts.ts';
import { entityFacts } from './entity-facts-of.ts';

/** The part of the document that is read here. */
interface GroupedDocument {
  readonly components: { readonly schemas: { readonly EventKind: { readonly enum: readonly string[] } } };
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
}

/**
 * Writes what the pages need of the contract: the catalog of entities, which the first page loads, and a file per entity with
 * its fields and forms, which is loaded with the records of the entity.
 *
 * @param folder Where they are written; its former content is removed.
 */
export async function writeContractFiles(folder: URL): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(new URL('entities/', folder), { recursive: true });
  await writeFile(new URL('catalog.json', folder), JSON.stringify(catalog()));
  for (const entity of Object.values(entities)) {
    const facts: EntityFacts = entityFacts(entity);
    await writeFile(new URL(`entities/${entity.name}.json`, folder), JSON.stringify(facts));
  }
}

function catalog(): Catalog {
  const { 'x-tagGroups': groups, components } = clientDocument() as unknown as GroupedDocument;
  const all = Object.values(entities).map(catalogEntity);
  const byTag = Map.groupBy(all, ({ title }) => title);
  const inGroups = groups.map(({ name, tags }) => ({
    name,
    entities: tags.flatMap((tag) => (byTag.get(tag) ?? []).map((entity) => entity.name)),
  }));
  return {
    prefix: dataPrefix,
    groups: inGroups.filter((group) => group.entities.length > 0),
    entities: all,
    events: components.schemas.EventKind.enum,
  };
}

function catalogEntity({ name, collection, actions }: Entity): CatalogEntity {
  const own = operations.filter((each) => each.entity === name && !each.deprecated);
  const has = (kind: string) => own.some((each) => each.kind === kind);
  const title = own.find(({ kind }) => kind === 'list')?.tag ?? name;
  const kinds = ['create', 'update', 'replace', 'delete'].filter(has);
  return { name, collection, title, operations: kinds, actions: actions.map((action) => action.name) };
}
