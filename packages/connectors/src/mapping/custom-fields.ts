import type { CustomFieldLimits } from '@unified/contract';
import type { Column, Row } from '../driver.ts';
import { scalar } from '../scalar-type.ts';
import { customAccepts } from './custom-accepts.ts';
import type { CustomFieldDefinition, CustomFieldsDefinition, CustomFieldType } from './definition.ts';
import { namesOfPath, reader } from './path.ts';
import { named, type Problems } from './problem.ts';
import { isSecretPath } from './source-paths.ts';
import type { Read } from './word.ts';

/** A column or field of the connected system that records have under its own name, as a mapping defines it. */
export interface CustomField {
  readonly name: string;
  /** Where the row has the value. Defaults to the column with the name of the field. */
  readonly path?: string;
  /** Defaults to the type of the column. */
  readonly type?: CustomFieldType;
  readonly label?: string;
  readonly isIndexed: boolean;
}

/** A custom field of a connection, with its type and limits. */
export interface KnownCustomField extends CustomField {
  readonly type: CustomFieldType;
  /** Whether the system allows writes to it. Mappings can allow fewer (`canWrite`), and change without another sync. */
  readonly isWritable: boolean;
  /** Whether every row has a value, so that writes cannot clear it. */
  readonly isRequired: boolean;
  readonly limits: CustomFieldLimits;
}

/** Types of custom fields by name, where the mapping does not define them. */
export type CustomTypes = ReadonlyMap<string, CustomFieldType>;

/** The custom fields of a mapping. */
export interface CustomFields {
  /** Fields that the mapping names, in its order. */
  readonly named: readonly CustomField[];
  /** Whether the columns that no word of the mapping reads are also custom fields. */
  readonly includesAll: boolean;
  /** Fields that the mapping names as writable, or `all` that the system can write. */
  readonly writable: 'all' | readonly string[];
  /** Whether the mapping allows writes to a custom field with this name. */
  canWrite(name: string): boolean;
  /** Whether types depend on the columns of the connected system. */
  readonly needsTypes: boolean;
  /** The custom fields of a system with these columns; `columns` is null if the system does not report them. */
  known(columns: readonly Column[] | null): readonly KnownCustomField[];
  /** The values of a row by name. Values of the wrong type are recorded, and become null. */
  read(row: Row, problems: Problems, types: CustomTypes): Row;
}

/** Names that paths and filters can contain, and that are not properties of every object. */
const NAME = /^(?!(?:__proto__|prototype|constructor)$)[^.:]{1,100}$/;

/** Whether records of a mapping can have custom fields. */
export function hasCustomFields({ named, includesAll }: CustomFields): boolean {
  return includesAll || named.length > 0;
}

/** Columns that other words of a mapping use. */
export interface UsedColumns {
  readonly read: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

const NONE_USED: UsedColumns = { read: new Set(), written: new Set() };

/** Compiles the word `customFields`. */
export function compileCustomFields(
  definition: CustomFieldsDefinition = 'none',
  used: UsedColumns = NONE_USED,
): CustomFields {
  const { include, writable: words } = typeof definition === 'string' ? { include: definition } : definition;
  const listed = typeof include === 'string' ? [] : include.map(customField);
  const readers = listed.map((field) => ({ field, read: readerOf(field) }));
  const includesAll = include === 'all';
  const writable = words === true ? 'all' : (words ?? []);
  const isOther = (name: string) => NAME.test(name) && !used.read.has(name) && !isSecretPath(name);
  const isIncluded = (name: string) => (includesAll ? isOther(name) : listed.some((field) => field.name === name));
  const hasPath = new Set(listed.flatMap(({ name, path }) => (path === undefined ? [] : [name])));
  const canWrite = (name: string) =>
    isIncluded(name) &&
    !hasPath.has(name) &&
    !used.written.has(name) &&
    (writable === 'all' || writable.includes(name));
  return {
    named: listed,
    includesAll,
    writable,
    canWrite,
    needsTypes: includesAll || listed.some(({ type }) => type === undefined),
    known(columns) {
      const plain = (columns ?? []).filter(({ name, scalar: own }) => isOther(name) && own !== undefined);
      return knownFields(includesAll ? plain.map(({ name }) => customField(name)) : listed, columns ?? []);
    },
    read(row, problems, types) {
      const values: Row = {};
      for (const { field, read } of readers) {
        values[field.name] = accepted(field, read(row), field.type ?? types.get(field.name), problems);
      }
      if (!includesAll) return values;
      for (const name of namesIn(row, types)) {
        if (isOther(name)) values[name] = accepted({ name }, reader([name])(row), types.get(name), problems);
      }
      return values;
    },
  };
}

function customField(given: string | CustomFieldDefinition): CustomField {
  if (typeof given === 'string') return { name: given, isIndexed: false };
  const { name, path, type, label, indexed = false } = given;
  return { name, ...(path && { path }), ...(type && { type }), ...(label && { label }), isIndexed: indexed };
}

function readerOf({ name, path }: CustomField): Read {
  return reader(path === undefined ? [name] : namesOfPath(path));
}

/** Names of the columns. Until they are known, they are taken from the values of the row. */
function namesIn(row: Row, types: CustomTypes): Iterable<string> {
  return types.size > 0 ? types.keys() : Object.keys(row).filter((name) => isPlain(row[name]));
}

function knownFields(fields: readonly CustomField[], columns: readonly Column[]): KnownCustomField[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return fields.map((field) => knownField(field, field.path === undefined ? byName.get(field.name) : undefined));
}

/** A custom field with its type: that of its column, if the mapping defines none. */
function knownField(field: CustomField, column: Column | undefined): KnownCustomField {
  const own = column ? column.scalar : scalar('string');
  const type = field.type ?? own?.type ?? 'string';
  return {
    ...field,
    type,
    isWritable: !column?.isReadOnly && own !== undefined,
    isRequired: column?.isRequired ?? false,
    // The limits of the column do not apply to a different type that the mapping states.
    limits: own && type === own.type ? own.limits : {},
  };
}

function accepted(
  { name, path = name }: Pick<CustomField, 'name' | 'path'>,
  value: unknown,
  type: CustomFieldType | undefined,
  problems: Problems,
): unknown {
  const before = problems.length;
  const kept = customAccepts[type ?? typeOfValue(value)](value, problems) ?? null;
  if (problems.length === before) return kept;
  named(`customFields.${name}`, problems, before);
  if (isSecretPath(path)) for (const problem of problems.slice(before)) problem.example = null;
  return kept;
}

function typeOfValue(value: unknown): CustomFieldType {
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' ? 'number' : 'string';
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

/** For a mapping without custom fields. */
export const noCustomFields = compileCustomFields();
