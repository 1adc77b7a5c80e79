import { nearest } from '@unified/contract';
import type { ErrorObject } from 'ajv';
import type { DefinitionProblem } from './definition-error.ts';
import schema from './mapping.schema.json' with { type: 'json' };

const MOST = 20;

/** The JSON Schema errors of a file, each problem with its field; `prefix` is the field that was checked. */
export function shapeProblems(file: string, errors: readonly ErrorObject[] = [], prefix = ''): DefinitionProblem[] {
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const byPart = Map.groupBy(telling, ({ instancePath }) => instancePath.split('/').slice(0, 3).join('/'));
  const problems = [...byPart.values()].flatMap(deepest).map((error) => ({ file, ...describe(error, prefix) }));
  const distinct = new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem]));
  return [...distinct.values()].slice(0, MOST);
}

/** Names of the functions of mapping expressions. */
const FUNCTIONS: ReadonlySet<string> = new Set(Object.keys(schema.$defs.word.properties));

/** Whether an expression is written in place of the options of a function, whose input it must be. */
function isMisplaced({ keyword, params, parentSchema }: ErrorObject): boolean {
  const isUnknown = keyword === 'additionalProperties' && FUNCTIONS.has(String(params.additionalProperty));
  return isUnknown && Object.hasOwn(parentSchema?.properties ?? {}, 'from');
}

/** If alternatives fail, only the errors at the deepest position are useful, or the one that states the reason. */
function deepest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const misplaced = errors.filter(isMisplaced);
  if (misplaced.length > 0) return misplaced;
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const furthest = Math.max(...errors.map(depth));
  return errors.filter((error) => depth(error) === furthest).slice(0, 5);
}

function describe(error: ErrorObject, prefix: string) {
  const { instancePath, keyword, message = '', params, parentSchema } = error;
  const field = [prefix, ...instancePath.split('/').slice(1).map(unescaped)].filter(Boolean).join('.');
  if (keyword === 'enum') return { field, message: `${message}: ${params.allowedValues.map(quoted).join(', ')}` };
  if (keyword === 'minProperties')
    return { field, message: field === 'fields' ? 'map at least one field' : 'is empty' };
  if (keyword === 'const') return { field, message: `must be ${quoted(params.allowedValue)}` };
  if (keyword === 'type' && isConstant(error))
    return { field, message: `must be a column or an expression; a fixed value is { const: ${quoted(error.data)} }` };
  if (keyword !== 'additionalProperties') return { field, message };
  const name = String(params.additionalProperty);
  if (isMisplaced(error))
    return { field, message: `"${name}" is the input of this function: { from: { ${name}: … } }` };
  const meant = nearest(name, Object.keys(parentSchema?.properties ?? {}));
  return {
    field,
    message: `unknown keyword "${name}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`,
  };
}

/** Whether a fixed value is written in place of a mapping expression. */
function isConstant({ data, parentSchema }: ErrorObject): boolean {
  const isScalar = typeof data === 'number' || typeof data === 'boolean';
  return isScalar && Object.hasOwn(parentSchema?.properties ?? {}, 'const');
}

/** A value as it is written in JSON: texts in quotation marks. */
function quoted(value: unknown): string {
  return JSON.stringify(value);
}

/** A step of a JSON Pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
