import type { Row } from '../driver.ts';
import { isObject } from './json-body.ts';

/** A text that is only a name in braces. */
const NAME = /^\{([^{}]+)\}$/;

/** The JSON of a body with the names in braces replaced by values. A text of digits becomes a number, as keys are texts. */
export function filledContent(content: Row, values: Row): Row {
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, filledIn(value, values)]));
}

function filledIn(value: unknown, values: Row): unknown {
  if (Array.isArray(value)) return value.map((each) => filledIn(each, values));
  if (isObject(value)) return filledContent(value, values);
  const [, name] = typeof value === 'string' ? (NAME.exec(value) ?? []) : [];
  if (name === undefined || !Object.hasOwn(values, name)) return value;
  const given = values[name];
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
}
