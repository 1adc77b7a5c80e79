import type { FieldKind } from '@unified/contract';
import type { Column, Row } from '../driver.ts';
import { compileAccept } from './accept.ts';
import type { Accept } from './accept-scalar.ts';
import type { CustomFieldsDefinition, CustomFieldType } from './definition.ts';
import { named, type Problems } from './problem.ts';
import { isSecretPath } from './source-paths.ts';

/** A column or field of the connected system that records have under its own name, as a mapping defines it. */
export interface CustomField {
  readonly name: string;
  /** Absent: the type of the column. */
  readonly type?: CustomFieldType;
  readonly label?: string;
  readonly isWritable: boolean;
  readonly isIndexed: boolean;
}

/** A custom field of a connection, with its type. */
export interface KnownCustomField extends CustomField {
  readonly type: CustomFieldType;
}

/** Types of custom fields by name, where the mapping does not define them. */
export type CustomTypes = ReadonlyMap<string, CustomFieldType>;

/** The custom fields of a mapping. */
export interface CustomFields {
  /** Those that the mapping names, in its order. */
  readonly named: readonly CustomField[];
  /** Whether the columns that no word of the mapping reads are also custom fields. */
  readonly includesAll: boolean;
  /** Whether types depend on the columns of the connected system. */
  readonly needsTypes: boolean;
  /** The custom fields of a system with these columns; null: the system does not report them. */
  known(columns: readonly Column[] | null): readonly KnownCustomField[];
  /** The values of a row by name. Values that do not have their type are recorded and null. */
  read(row: Row, problems: Problems, types: CustomTypes): Row;
}

/** `Field.kind` with the same values. */
const KINDS: Readonly<Record<CustomFieldType, FieldKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'datetime',
};

const accepts = Object.fromEntries(
  Object.entries(KINDS).map(([type, kind]) => [
    type,
    compileAccept({ name: 'customFields', kind, nullable: true, required: false, writable: false }),
  ]),
) as Readonly<Record<CustomFieldType, Accept>>;

/** Names that paths and filters can contain. */
const NAME = /^[^.:]{1,100}$/;

/** Whether records of a mapping can have custom fields. */
export function hasCustomFields({ named, includesAll }: CustomFields): boolean {
  return includesAll || named.length > 0;
}

/** Compiles the word `customFields`; `taken` are the columns that other words read. */
export function compileCustomFields(
  definition: CustomFieldsDefinition = 'none',
  taken: ReadonlySet<string> = new Set(),
): CustomFields {
  const listed = typeof definition === 'string' ? [] : definition.include.map(customField);
  const includesAll = definition === 'all';
  const isOther = (name: string) => NAME.test(name) && !taken.has(name) && !isSecretPath(name);
  return {
    named: listed,
    includesAll,
    needsTypes: includesAll || listed.some(({ type }) => type === undefined),
    known(columns) {
      const types = new Map((columns ?? []).map(({ name, type }) => [name, customTypeOf(type)]));
      if (!includesAll)
        return listed.map((field) => ({ ...field, type: field.type ?? types.get(field.name) ?? 'string' }));
      return [...types].flatMap(([name, type]) =>
        type !== null && isOther(name) ? [{ name, type, isWritable: false, isIndexed: false }] : [],
      );
    },
    read(row, problems, types) {
      const values: Row = {};
      const put = (name: string, type: CustomFieldType | undefined) => {
        const value = Object.hasOwn(row, name) ? row[name] : null;
        values[name] = accepted(name, value, type ?? typeOfValue(value), problems);
      };
      for (const { name, type } of listed) put(name, type ?? types.get(name));
      if (!includesAll) return values;
      // Until the columns are known, they are taken from the values of the row.
      const others = types.size > 0 ? types.keys() : Object.keys(row).filter((name) => isPlain(row[name]));
      for (const name of others) if (isOther(name)) put(name, types.get(name));
      return values;
    },
  };
}

function customField(given: Exclude<CustomFieldsDefinition, string>['include'][number]): CustomField {
  if (typeof given === 'string') return { name: given, isWritable: false, isIndexed: false };
  const { name, type, label, writable = false, indexed = false } = given;
  return { name, ...(type && { type }), ...(label && { label }), isWritable: writable, isIndexed: indexed };
}

function accepted(name: string, value: unknown, type: CustomFieldType, problems: Problems): unknown {
  const before = problems.length;
  const kept = accepts[type](value, problems) ?? null;
  if (problems.length === before) return kept;
  named(`customFields.${name}`, problems, before);
  if (isSecretPath(name)) for (const problem of problems.slice(before)) problem.example = null;
  return kept;
}

function typeOfValue(value: unknown): CustomFieldType {
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' ? 'number' : 'string';
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

const TYPES: readonly (readonly [RegExp, CustomFieldType | null])[] = [
  [/\[\]$|^keys of |json|xml|bytea|blob|binary|image|range|vector|2many$|^dict/i, null],
  [/^((tiny|small|medium|big)?int(eger)?|numeric|decimal|double|real|float|(small|big)?serial)\d*\b/i, 'number'],
  [/^bool(ean)?\b/i, 'boolean'],
  [/^date$/i, 'date'],
  [/^(timestamp|datetime)/i, 'dateTime'],
];

/** The type of a column's values, by its type in the system; null for lists, objects and bytes. */
function customTypeOf(type: string): CustomFieldType | null {
  const found = TYPES.find(([pattern]) => pattern.test(type));
  return found ? found[1] : 'string';
}

/** For a mapping without custom fields. */
export const noCustomFields = compileCustomFields();
