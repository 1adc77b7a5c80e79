import { Ajv2020 } from 'ajv/dist/2020.js';
import type { MappingDefinition } from './definition.ts';
import schema from './mapping.schema.json' with { type: 'json' };
import { DefinitionError } from './place.ts';
import { shapeProblems } from './shape-problems.ts';

const validate = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
}).compile<MappingDefinition>(schema);

/** The definition, once its shape is that of `mapping.schema.json`. Messages name the part and what is allowed there. */
export function checkShape(source: unknown, file: string): MappingDefinition {
  if (validate(source)) return source;
  throw new DefinitionError(shapeProblems(file, validate.errors ?? []));
}
