import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { MappingDefinition } from './definition.ts';
import schema from './mapping.schema.json' with { type: 'json' };
import { refuse, top } from './place.ts';

const validate = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
}).compile<MappingDefinition>(schema);

/** The definition, once its shape is that of `mapping.schema.json`. Messages name the part and what is allowed there. */
export function checkShape(source: unknown, file: string): MappingDefinition {
  if (validate(source)) return source;
  const problems = deepest(validate.errors ?? []).map(describe);
  refuse(top(file), [...new Set(problems)].join('; '));
}

/** Where alternatives fail, only the errors that got furthest into the file help. */
function deepest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const furthest = Math.max(...telling.map(depth));
  return telling.filter((error) => depth(error) === furthest).slice(0, 5);
}

function describe({ instancePath, keyword, message = '', params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const detail =
    keyword === 'additionalProperties'
      ? `unknown word or option "${params.additionalProperty}"`
      : keyword === 'enum'
        ? `${message}: ${params.allowedValues.join(', ')}`
        : message;
  return place === '' ? detail : `${place}: ${detail}`;
}
