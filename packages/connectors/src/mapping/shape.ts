import { compiledOnUse } from '../own-schema.ts';
import type { MappingDefinition } from './definition.ts';
import { DefinitionError, type DefinitionProblem } from './definition-error.ts';
import schema from './mapping.schema.json' with { type: 'json' };
import { hasProperties } from './path.ts';
import { shapeProblems } from './shape-problems.ts';

const shape = compiledOnUse<MappingDefinition>(schema);

/** Parts whose members can be checked separately. */
const DROPPED = new Set(['fields', 'actions', 'onCreate', 'onWrite']);

/**
 * The definition, checked against `mapping.schema.json`. Errors of single fields, actions and values are added to `problems` and
 * removed from the definition, so that the rest can still be checked.
 *
 * @throws DefinitionError if other parts have errors
 */
export function checkShape(source: unknown, file: string, problems: DefinitionProblem[]): MappingDefinition {
  const validate = shape();
  if (validate(source)) return source;
  const found = shapeProblems(file, validate.errors ?? []);
  const rest: unknown = structuredClone(source);
  for (const { field } of found) drop(rest, field.split('.'));
  if (!validate(rest)) throw new DefinitionError(found);
  problems.push(...found);
  return rest;
}

function drop(definition: unknown, [part = '', name = '']: readonly string[]): void {
  const parts = hasProperties(definition) && DROPPED.has(part) ? definition[part] : undefined;
  if (hasProperties(parts)) delete parts[name];
}
