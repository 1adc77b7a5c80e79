import { type CompiledMapping, compileMapping, type Platform, type Stream } from '@unified/connectors';
import type { Field } from '@unified/contract';
import { type DerivedTable, derivedTables, kindColumn, writesOf } from './derived-table.ts';

type Word = string | { readonly [word: string]: unknown };

/**
 * The platform with a stream and a mapping for each derived table. These streams are last in a sync, because their rows refer to
 * other tables.
 */
export function withDerived(platform: Platform, tables = derivedTables()): Platform {
  const streams = tables.map((table, index) => streamOf(table, platform.streams.length + index));
  return {
    ...platform,
    streams: [...platform.streams, ...streams],
    mappings: {
      ...platform.mappings,
      ...Object.fromEntries(tables.map((table) => [table.entity.name, mappingOf(table)])),
    },
  };
}

function streamOf({ entity }: DerivedTable, order: number): Stream {
  const { table: name } = entity;
  return { name, key: ['nr'], order, cursor: 'changed_at', deletes: 'diff', pageSize: 1_000, options: {} };
}

function mappingOf({ entity, fields }: DerivedTable): CompiledMapping {
  const definition = {
    entity: entity.name,
    stream: entity.table,
    created: { datetime: 'created_at' },
    updated: { datetime: 'changed_at' },
    writes: writesOf(entity),
    fields: Object.fromEntries(
      fields.map((field) => [field.name, field.writable ? wordOf(field) : { read: wordOf(field) }]),
    ),
  };
  return compileMapping(definition, { file: `sandbox/derived/${entity.collection}`, entity });
}

function wordOf({ name, kind, targets = [], fields = [] }: Field): Word {
  switch (kind) {
    case 'text':
      return { text: name };
    case 'number':
    case 'integer':
      return { number: name };
    case 'date':
      return { date: name };
    case 'datetime':
      return { datetime: name };
    case 'relation':
      return { ref: { entity: kindOf(name, targets), by: '_idValue', value: name } };
    case 'relations':
      return { refs: { entity: targets[0], by: '_idValue', each: name } };
    case 'objects':
      if (fields.length === 0) return name;
      return { list: { from: name, fields: Object.fromEntries(fields.map((each) => [each.name, wordOf(each)])) } };
    default:
      return name;
  }
}

function kindOf(name: string, targets: readonly string[]): Word {
  if (targets.length === 1) return targets[0] ?? '';
  const table = Object.fromEntries(targets.map((target) => [target, target]));
  return { lookup: { from: kindColumn(name), table } };
}
