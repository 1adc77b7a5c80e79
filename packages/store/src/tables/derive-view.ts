import { hash } from 'node:crypto';
import type { Entity, ViewMember } from '@unified/contract';
import pg from 'pg';
import { type Column, columnType, type Index, indexName, interfacesOf, isIndexed, tableOf } from './derive-table.ts';

/** The view for an entity that has no records of its own. */
export interface View {
  /** Quoted, with its schema: `data."picks"`. */
  readonly name: string;
  readonly columns: readonly Pick<Column, 'name' | 'type'>[];
  readonly members: readonly MemberSelect[];
}

/** The rows of one table in a view. */
interface MemberSelect {
  readonly table: string;
  /** SQL of columns that the table does not have, or that have other values in the view, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** SQL condition that the rows meet; empty means all rows. */
  readonly condition: string;
}

type Entities = Readonly<Record<string, Entity>>;

type EntityView = Entity & Required<Pick<Entity, 'view'>>;

/** Whether the entity shows records of other entities. */
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
    .map((entity) => ({
      name: tableOf(entity),
      columns: viewColumns(entity),
      members: entity.view.map((member) => selectOf(entity, member, storedEntity(entities, member))),
    }));
}

/** The query of a view, with its columns in this order. */
export function viewQuery({ members }: View, names: readonly string[]): string {
  return members
    .map(({ table, values, condition }) => {
      const columns = names.map((name) => (Object.hasOwn(values, name) ? `${values[name]} as "${name}"` : `"${name}"`));
      return `select ${columns.join(', ')} from ${table}${condition && ` where ${condition}`}`;
    })
    .join('\nunion all\n');
}

/** Columns for the view's fields, and the columns that every table has; `_implements` differs from member to member. */
function viewColumns({ fields }: EntityView): View['columns'] {
  return [
    { name: 'connection_id', type: 'uuid' },
    ...fields.flatMap((field) => {
      const type = columnType(field);
      return type === undefined ? [] : [{ name: field.name, type }];
    }),
    { name: 'doc', type: 'json' },
    { name: 'version', type: 'bigint' },
    { name: '_implements', type: 'text[]' },
  ];
}

/**
 * Indexes that an entity's table needs so that views of part of the entity can be read in order. Each contains only the records
 * of its view. If the values that define the view are already indexed, that index provides the order.
 */
export function viewIndexes(entity: Entity, entities: Entities): readonly Index[] {
  return Object.values(entities)
    .filter(isView)
    .flatMap((view) => {
      const [member] = view.view;
      if (!isPart(view) || member?.entity !== entity.name || isIndexedBy(member, entity)) return [];
      const condition = conditionOf(member);
      // An existing index is not compared with the wanted one, so another condition needs another name.
      const name = indexName(`${view.table}_${hash('sha256', condition).slice(0, 8)}`);
      return [{ name, definition: `(connection_id, id) where "_deletedAt" is null and ${condition}` }];
    });
}

function isIndexedBy({ where }: ViewMember, entity: Entity): boolean {
  const fields = Object.keys(where).map((name) => entity.field[name]);
  return fields.length === 1 && fields.every((field) => field !== undefined && isIndexed(field));
}

/** Whether a view shows part of one table; otherwise it contains several tables completely. */
function isPart({ view }: EntityView): boolean {
  return view.length === 1;
}

/**
 * For a table that is included completely, `where` is the same for all records: it becomes a constant. As a condition, it would
 * keep PostgreSQL from merging the members' indexes into one order.
 */
function selectOf(view: EntityView, member: ViewMember, stored: Entity): MemberSelect {
  const constants = isPart(view) ? {} : member.where;
  const values = Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, literal(value)]));
  const interfaces = `array[${interfacesOf(stored).map(pg.escapeLiteral)}]::text[]`;
  return {
    table: tableOf(stored),
    values: { ...values, _implements: interfaces },
    condition: isPart(view) ? conditionOf(member) : '',
  };
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
  if (!stored) throw new Error(`A view shows ${entity}, which is not an entity.`);
  return stored;
}
