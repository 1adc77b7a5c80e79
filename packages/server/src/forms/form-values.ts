import type { components } from '@unified/contract';

export type FormSchema = components['schemas']['SettingsFormSchema'];
export type FormField = components['schemas']['SettingsFormField'];

/** An error in a form: the path of the part, such as `properties/warehouse/default`, and a sentence. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of characters of a text in a field without `maxLength`. */
const LONGEST_TEXT = 1_000;
/** Values are saved as `form.field`, so names must not contain a dot. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const TYPES: Readonly<Record<FormField['type'], string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** The first contradiction in the schema of a form that the document cannot rule out; undefined if there is none. */
export function schemaProblem({ properties, required = [] }: FormSchema): FormProblem | undefined {
  for (const [name, field] of Object.entries(properties)) {
    const path = `properties/${name}`;
    if (!FIELD_NAME.test(name))
      return {
        path,
        message: 'The name of a field has up to 64 letters, digits, "-" and "_", and begins with a letter.',
      };
    const wrong = fieldProblem(field);
    if (wrong) return { path: `${path}/${wrong.path}`, message: wrong.message };
  }
  const index = required.findIndex((name) => !Object.hasOwn(properties, name));
  if (index < 0) return undefined;
  return { path: `required/${index}`, message: `There is no field "${required[index]}" in \`properties\`.` };
}

function fieldProblem(field: FormField): FormProblem | undefined {
  const { type, enum: choices, maxLength, minimum, maximum, default: initial } = field;
  const isNumeric = type === 'number' || type === 'integer';
  if (choices && type !== 'string') return { path: 'enum', message: 'Only fields of the type `string` have choices.' };
  if (maxLength !== undefined && type !== 'string')
    return { path: 'maxLength', message: 'Only fields of the type `string` have a length.' };
  if ((minimum ?? maximum) !== undefined && !isNumeric)
    return {
      path: minimum === undefined ? 'maximum' : 'minimum',
      message: 'Only numbers have a minimum and a maximum value.',
    };
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    return { path: 'minimum', message: `It is larger than \`maximum\`, ${maximum}.` };
  const problem = initial === undefined ? undefined : valueProblem(field, initial);
  return problem === undefined ? undefined : { path: 'default', message: `It ${problem}.` };
}

/** Why a field cannot have a value, as the end of a sentence (`must be a number`); undefined if it can. */
export function valueProblem(field: FormField, value: unknown): string | undefined {
  const { type, enum: choices, maxLength = LONGEST_TEXT, minimum, maximum } = field;
  if (!hasType(type, value)) return `must be ${TYPES[type]}`;
  if (typeof value === 'string') {
    if (choices && !choices.includes(value)) return `must be one of ${choices.join(', ')}`;
    if ([...value].length > maxLength) return `must have at most ${maxLength} characters`;
  }
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  }
  return undefined;
}

function hasType(type: FormField['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
