import { hash } from 'node:crypto';
import type { Entity, ViewMember } from '@unified/contract';
import pg from 'pg';
import { columnType, type Index, indexName, interfacesOf, isIndexed, tableOf } from './derive-table.ts';

/** The view of an entity that has no records of its own. */
export interface View {
  /** Quoted, with its schema: `data."payables"`. */
  readonly name: string;
  /** The select that it stands for. */
  readonly query: string;
}

type Entities = Readonly<Record<string, Entity>>;

type EntityView = Entity & Required<Pick<Entity, 'view'>>;

/** Whether the entity shows records of others. */
function isView(entity: Entity): entity is EntityView {
  return entity.view !== undefined;
}

/** The entities that have a table. */
export function storedEntities(entities: Entities): readonly Entity[] {
  return Object.values(entities).filter((entity) => !isView(entity));
}

/** The views that the entities need. */
export function deriveViews(entities: Entities): readonly View[] {
  return Object.values(entities)
    .filter(isView)
    .map((entity) => {
      const selects = entity.view.map((member) => selectFrom(entity, member, storedEntity(entities, member)));
      return { name: tableOf(entity), query: selects.join('\nunion all\n') };
    });
}

/**
 * Indexes of an entity's table that views of a part of it need to be read in order: each holds the records of its view
 * only. Where the values of the view are indexed already, that index has the order.
 */
export function viewIndexes(entity: Entity, entities: Entities): readonly Index[] {
  return Object.values(entities)
    .filter(isView)
    .flatMap((view) => {
      const [member] = view.view;
      if (!isPart(view) || member?.entity !== entity.name || isIndexedBy(member, entity)) return [];
      const condition = conditionOf(member);
      // An index that is there already is not compared: another condition needs another name.
      const name = indexName(`${view.table}_${hash('sha256', condition).slice(0, 8)}`);
      return [{ name, definition: `(connection_id, id) where "_deletedAt" is null and ${condition}` }];
    });
}

function isIndexedBy({ where }: ViewMember, entity: Entity): boolean {
  const fields = Object.keys(where).map((name) => entity.field[name]);
  return fields.length === 1 && fields.every((field) => field !== undefined && isIndexed(field));
}

/** Whether a view shows a part of one table; otherwise it shows several tables whole. */
function isPart({ view }: EntityView): boolean {
  return view.length === 1;
}

/**
 * Columns of the view's fields and those that every table has; `_implements` differs from member to member. Of a table
 * that is shown whole, `where` is the same for all records: it stands there as a constant instead of a condition, which
 * would keep PostgreSQL from merging the members' indexes into one order.
 */
function selectFrom(view: EntityView, member: ViewMember, stored: Entity): string {
  const constants = isPart(view) ? {} : member.where;
  const fields = view.fields
    .filter((field) => columnType(field) !== undefined)
    .map(({ name }) => (Object.hasOwn(constants, name) ? `${literal(constants[name])} as "${name}"` : `"${name}"`));
  const interfaces = `array[${interfacesOf(stored).map(pg.escapeLiteral)}]::text[] as "_implements"`;
  const columns = ['connection_id', ...fields, 'doc', 'version', interfaces];
  const condition = isPart(view) ? ` where ${conditionOf(member)}` : '';
  return `select ${columns.join(', ')} from ${tableOf(stored)}${condition}`;
}

function conditionOf({ where }: ViewMember): string {
  return Object.entries(where)
    .map(([name, value]) => `"${name}" = ${literal(value)}`)
    .join(' and ');
}

function literal(value: string | boolean | undefined): string {
  return typeof value === 'string' ? `${pg.escapeLiteral(value)}::text` : String(value);
}

function storedEntity(entities: Entities, { entity }: ViewMember): Entity {
  const stored = entities[entity];
  if (!stored) throw new Error(`A view shows ${entity}, which is no entity.`);
  return stored;
}
