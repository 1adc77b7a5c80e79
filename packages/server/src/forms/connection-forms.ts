import { isDeepStrictEqual } from 'node:util';
import type { SettingField } from '@unified/engine';
import type { SettingsForm } from '@unified/store';
import { quoted } from '../request-error.ts';
import { type FormField, type FormSchema, valueProblem } from './form-values.ts';

/** Values by form and field, `form.field`, as they are saved. */
export type FormValues = Readonly<Record<string, unknown>>;

/** One settings form as the authorization page shows it. */
export interface FormSection {
  readonly title: string;
  /** Their names are `form.field`. */
  readonly fields: readonly SettingField[];
}

/** The values that a page sent, and the names of those that their forms do not allow. */
export interface EnteredValues {
  readonly values: FormValues;
  readonly wrong: ReadonlySet<string>;
}

type Form = Pick<SettingsForm<FormSchema>, 'id' | 'title' | 'schema'>;

/** The forms of a connection in their order. */
export function sectionsOf(forms: readonly Form[]): FormSection[] {
  return forms.map((form) => ({ title: form.title, fields: fieldsOf(form).map(shown) }));
}

/** The initial values of the fields: those that were saved, otherwise the defaults. */
export function initialValues(forms: readonly Form[], saved: FormValues): FormValues {
  const all = forms.flatMap(fieldsOf).flatMap(({ name, field }): [string, unknown][] => {
    const value = Object.hasOwn(saved, name) ? saved[name] : field.default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(all);
}

/** Reads the values of all fields. Empty fields have no value; a checkbox is always true or false. */
export function enteredValues(forms: readonly Form[], sent: Readonly<Record<string, string>>): EnteredValues {
  const fields = forms.flatMap(fieldsOf).map((each) => ({ ...each, value: typed(each.field, sent[each.name]) }));
  const isWrong = ({ field, isRequired, value }: (typeof fields)[number]) =>
    value === undefined ? isRequired : valueProblem(field, value) !== undefined;
  return {
    values: Object.fromEntries(fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    wrong: new Set(fields.filter(isWrong).map(({ name }) => name)),
  };
}

/** A value that the forms of a connection do not allow: its name, and a sentence that describes the problem. */
export interface ValueProblem {
  readonly name: string;
  readonly message: string;
}

/**
 * The first value that the forms of a connection do not allow, by the same rules as on the page; undefined if there is none.
 * Values of fields that the forms no longer have can only be kept as they were saved.
 */
export function savedProblem(forms: readonly Form[], values: FormValues, saved: FormValues): ValueProblem | undefined {
  const fields = new Map(forms.flatMap(fieldsOf).map((each) => [each.name, each]));
  for (const [name, value] of Object.entries(values)) {
    const known = fields.get(name);
    const problem = known && valueProblem(known.field, value);
    if (problem !== undefined) return { name, message: `The value of ${quoted(name)} ${problem}.` };
    if (known || (Object.hasOwn(saved, name) && isDeepStrictEqual(saved[name], value))) continue;
    const allowed = [...fields.keys()].join(', ') || 'none: the connection has no forms';
    return { name, message: `No form of the connection has the field ${quoted(name)}. Its fields: ${allowed}.` };
  }
  const missing = [...fields.values()].find(({ name, isRequired }) => isRequired && !Object.hasOwn(values, name));
  return missing && { name: missing.name, message: `The form needs a value for ${quoted(missing.name)}.` };
}

/** The saved values that do not belong to a field of these forms. */
export function otherValues(forms: readonly Form[], saved: FormValues): FormValues {
  const names = new Set(forms.flatMap(fieldsOf).map(({ name }) => name));
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !names.has(name)));
}

interface NamedField {
  readonly name: string;
  readonly field: FormField;
  readonly isRequired: boolean;
  readonly label: string;
}

function fieldsOf({ id, schema: { properties, required = [] } }: Form): NamedField[] {
  return Object.entries(properties).map(([label, field]) => ({
    name: `${id}.${label}`,
    ...{ field, label, isRequired: required.includes(label) },
  }));
}

function shown({ name, label, field, isRequired }: NamedField): SettingField {
  const { title = label, description = '', enum: choices = [] } = field;
  return { name, title, description, example: '', kind: kindOf(field), choices, isRequired };
}

function kindOf({ type, enum: choices }: FormField): SettingField['kind'] {
  if (choices) return 'choice';
  if (type === 'boolean') return 'switch';
  return type === 'string' ? 'text' : 'number';
}

/** A number that cannot be parsed stays a text, which its field does not allow. */
function typed({ type }: FormField, text: string | undefined): unknown {
  if (type === 'boolean') return text !== undefined && text !== '';
  const sent = text?.trim() ?? '';
  if (sent === '') return undefined;
  return type === 'string' || !Number.isFinite(Number(sent)) ? sent : Number(sent);
}
