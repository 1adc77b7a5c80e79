import { nearest } from '@unified/contract';
import type { ErrorObject } from 'ajv';
import type { DefinitionProblem } from './definition-error.ts';

const MOST = 20;

/** The JSON Schema errors of a file, each problem with its field; `prefix` is the field that was checked. */
export function shapeProblems(file: string, errors: readonly ErrorObject[] = [], prefix = ''): DefinitionProblem[] {
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const byPart = Map.groupBy(telling, ({ instancePath }) => instancePath.split('/').slice(0, 3).join('/'));
  const problems = [...byPart.values()].flatMap(deepest).map((error) => ({ file, ...describe(error, prefix) }));
  const distinct = new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem]));
  return [...distinct.values()].slice(0, MOST);
}

/** If alternatives fail, only the errors at the deepest position are useful. */
function deepest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const furthest = Math.max(...errors.map(depth));
  return errors.filter((error) => depth(error) === furthest).slice(0, 5);
}

function describe({ instancePath, keyword, message = '', params, parentSchema }: ErrorObject, prefix: string) {
  const field = [prefix, ...instancePath.split('/').slice(1).map(unescaped)].filter(Boolean).join('.');
  if (keyword === 'enum') return { field, message: `${message}: ${params.allowedValues.map(quoted).join(', ')}` };
  if (keyword === 'minProperties')
    return { field, message: field === 'fields' ? 'map at least one field' : 'is empty' };
  if (keyword === 'const') return { field, message: `must be ${quoted(params.allowedValue)}` };
  if (keyword !== 'additionalProperties') return { field, message };
  const name = String(params.additionalProperty);
  const meant = nearest(name, Object.keys(parentSchema?.properties ?? {}));
  return {
    field,
    message: `unknown keyword "${name}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`,
  };
}

/** A value as it is written in JSON: texts in quotation marks. */
function quoted(value: unknown): string {
  return JSON.stringify(value);
}

/** A step of a JSON Pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
