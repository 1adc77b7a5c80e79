import type { WriteForm } from '../../contract/entity-facts.ts';
import type { Capability } from './capability-queries.ts';

/** A form with the fields that the connected system accepts, those that it requires first. */
export function writableForm(form: WriteForm, capability: Capability | undefined): WriteForm {
  if (!capability) return form;
  const { writeFields, requiredFields } = capability;
  const isCreate = form.operationId.startsWith('create');
  const accepted = form.fields
    .filter(({ name }) => writeFields.includes(name))
    .map((field) => ({ ...field, required: field.required || (isCreate && requiredFields.includes(field.name)) }));
  return { ...form, fields: accepted.toSorted((a, b) => Number(b.required) - Number(a.required)) };
}
