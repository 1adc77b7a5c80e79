import type { Field } from '@unified/contract';
import type { Row } from '../driver.ts';
import { type Accept, acceptNumber, acceptText } from './accept-scalar.ts';
import { hasProperties } from './path.ts';
import { isBlank, named, type Problems, unusable } from './problem.ts';

/** Compiles the check of a field, and of all properties of its objects, once. */
export function compileAccept(field: Field): Accept {
  const { kind, fields } = field;
  switch (kind) {
    case 'number':
    case 'integer':
      return acceptNumber(field);
    case 'boolean':
      return acceptBoolean;
    case 'texts':
      return acceptList(field, acceptText({ ...field, kind: 'text' }));
    case 'object':
      return fields ? acceptObject(fields) : acceptAnyObject;
    case 'objects':
      return acceptList(field, fields ? acceptObject(fields) : acceptAnyObject);
    case 'relation':
      return acceptReference;
    case 'relations':
      return acceptList(field, acceptReference);
    default:
      return acceptText(field);
  }
}

function acceptBoolean(value: unknown, problems?: Problems): unknown {
  return typeof value === 'boolean' ? value : unusable(problems, value, 'The value is not true or false.');
}

/** The accepted elements; the others are left out and recorded. */
function acceptList(
  { limits: { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = {} }: Field,
  accept: Accept,
): Accept {
  return (value, problems) => {
    if (!Array.isArray(value)) return unusable(problems, value, 'The value is not a list.');
    const accepted = value.map((element) => accept(element, problems)).filter((element) => element !== null);
    if (accepted.length > maxItems) return forbidden(problems, value, `The list has more than ${maxItems} elements.`);
    return accepted.length < minItems
      ? forbidden(problems, value, `The list has fewer than ${minItems} elements.`)
      : accepted;
  };
}

function forbidden(problems: Problems | undefined, value: unknown, message: string): null {
  return unusable(problems, value, message, 'not_allowed');
}

/** The properties that the document defines. An object that lacks a required property is left out altogether. */
function acceptObject(fields: readonly Field[]): Accept {
  const properties = fields.map((field) => ({ ...field, accept: compileAccept(field) }));
  return (value, problems) => {
    if (!hasProperties(value) || Array.isArray(value)) return unusable(problems, value, 'The value is not an object.');
    const made: Row = {};
    const missing: string[] = [];
    for (const { name, accept, nullable, required } of properties) {
      const before = problems?.length ?? 0;
      const accepted = Object.hasOwn(value, name) ? accept(value[name], problems) : null;
      named(name, problems, before);
      if (accepted !== null || (nullable && Object.hasOwn(value, name))) made[name] = accepted;
      else if (required) missing.push(name);
    }
    if (missing.length === 0) return made;
    return isEmpty(made) ? null : forbidden(problems, value, `The object does not have ${missing.join(' and ')}.`);
  };
}

function isEmpty(made: Row): boolean {
  return Object.values(made).every(isBlank);
}

function acceptAnyObject(value: unknown, problems?: Problems): unknown {
  return hasProperties(value) && !Array.isArray(value)
    ? value
    : unusable(problems, value, 'The value is not an object.');
}

/** Only words create references; any other value in this place is not a reference. */
function acceptReference(value: unknown, problems?: Problems): unknown {
  const isReference = hasProperties(value) && typeof value.entity === 'string' && typeof value.by === 'string';
  return isReference ? value : unusable(problems, value, 'The value is not a reference. Use the function `ref`.');
}
