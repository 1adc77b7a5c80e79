import { type Entity, entityOf, type Field, type ServiceError } from '@unified/contract';
import { quoted, unlistedError } from '../request-error.ts';
import { type Selection, selectionOf } from './field-selection.ts';
import { everything, type Narrow, type NarrowedEntity } from './token-access.ts';

/** Relation fields to expand, each with the fields to expand in its records. */
export type Expansion = ReadonlyMap<string, Expansion>;

type Tree = Map<string, Tree>;

const DEEPEST = 2;
const MOST_FIELDS = 20;
/** What `extend` adds to records besides expanded relations. */
const EXTERNAL_VALUES = 'externalValues';
const LINEAGE = 'lineage';

/**
 * Two names for the same parameter. If both are sent, the fields of both are expanded. `extend` also accepts `externalValues` and
 * `lineage`.
 */
interface ExpandParameters {
  readonly expand?: string | undefined;
  readonly extend?: string | undefined;
}

/**
 * Fields to expand, read from `expand=currency,accountPayable.organization`.
 *
 * Throws `SERVICE_INVALID_EXPAND` for a field that is not a relation, more than two levels or more than 20 fields. Tokens without
 * access to external values or lineage get the same error for these names.
 */
export function parseExpand(entity: NarrowedEntity, { expand, extend }: ExpandParameters, narrow: Narrow): Expansion {
  const isRelation = (name: string) => !isAddable(name, entity, narrow);
  const paths = [...namesIn(expand), ...namesIn(extend).filter(isRelation)];
  const tree: Tree = new Map();
  if (paths.length > MOST_FIELDS) throw refused([entity], `Expand at most ${MOST_FIELDS} fields.`);
  for (const path of paths) add(tree, entity, path, narrow);
  return tree;
}

/**
 * The columns of a row also contain values of other records, such as their names, so only tokens for everything can request
 * lineage.
 */
function isAddable(name: string, { isPartial }: NarrowedEntity, narrow: Narrow): boolean {
  return name === LINEAGE ? narrow === everything : name === EXTERNAL_VALUES && !isPartial;
}

function namesIn(text: string | undefined): string[] {
  return text?.split(',') ?? [];
}

function add(tree: Tree, entity: Entity, path: string, narrow: Narrow): void {
  const names = path.split('.');
  if (names.length > DEEPEST) throw refused([entity], `"${path.slice(0, 80)}" reaches deeper than ${DEEPEST} levels.`);
  let branch = tree;
  let entities: readonly Entity[] = [entity];
  for (const name of names) {
    const fields = entities.flatMap(relations).filter((field) => field.name === name);
    if (fields.length === 0) throw refused(entities, `${quoted(name)} is not a relation of ${labels(entities)}.`, name);
    const inner = branch.get(name) ?? new Map();
    branch.set(name, inner);
    branch = inner;
    entities = fields.flatMap((field) => targetsOf(field, narrow));
  }
}

function targetsOf({ targets = [] }: Field, narrow: Narrow): Entity[] {
  return targets.flatMap((name) => {
    const entity = entityOf(name);
    return (entity && narrow(entity)) ?? [];
  });
}

/** A relation without targets leads only to entities that the token gives no access to. */
function relations(entity: Entity): Field[] {
  return entity.fields.filter(
    ({ kind, targets }) => (kind === 'relation' || kind === 'relations') && targets?.length !== 0,
  );
}

function labels(entities: readonly Entity[]): string {
  return entities.map((entity) => entity.name).join(' or ');
}

function refused(entities: readonly Entity[], reason: string, name = ''): ServiceError {
  const allowed = [...new Set(entities.flatMap(relations).map((field) => field.name))];
  return unlistedError('SERVICE_INVALID_EXPAND', 'expand', reason, { sent: name, allowed });
}

/**
 * Fields to return, read from `fields=name,code`, together with the fields that the schema requires and those to expand.
 * Without `fields`, the fields of the entity. Undefined means all stored fields.
 *
 * Throws `SERVICE_INVALID_FIELDS` with the known fields for an unknown name.
 */
export function parseFields(
  entity: NarrowedEntity,
  text: string | undefined,
  expansion: Expansion,
): Selection | undefined {
  const own = selectionOf(entity);
  if (text === undefined) return own;
  const names = text.split(',');
  const unknown = names.find((name) => !Object.hasOwn(entity.field, name));
  const wanted = [...requiredNames(entity), ...names, ...expansion.keys()];
  if (entity.hidesLabel) wanted.push('_displayValue');
  if (unknown === undefined) return new Map(wanted.map((name) => [name, own?.get(name)]));
  const allowed = entity.fields.map(({ name }) => name);
  const reason = `${entity.name} has no field ${quoted(unknown)}.`;
  throw unlistedError('SERVICE_INVALID_FIELDS', 'fields', reason, { sent: unknown, allowed });
}

function requiredNames({ fields }: Entity): string[] {
  return fields.filter(({ required }) => required).map(({ name }) => name);
}

/** How a read transforms the stored records that it returns. */
export interface RecordShape {
  readonly expansion: Expansion;
  /** Undefined means all fields. */
  readonly fields: Selection | undefined;
  /** Whether to add the values of records in data mappings. */
  readonly externalValues: boolean;
  /** Whether to add where the values of records come from. */
  readonly lineage: boolean;
}

/** Parameters that shape records. */
export interface ShapeParameters extends ExpandParameters {
  readonly fields?: string;
}

/** Reads `expand` (or `extend`) and `fields`. Throws the errors of `parseExpand` and `parseFields`. */
export function parseShape(entity: NarrowedEntity, parameters: ShapeParameters, narrow: Narrow): RecordShape {
  const expansion = parseExpand(entity, parameters, narrow);
  const added = namesIn(parameters.extend);
  return {
    expansion,
    fields: parseFields(entity, parameters.fields, expansion),
    externalValues: added.includes(EXTERNAL_VALUES),
    lineage: added.includes(LINEAGE),
  };
}
