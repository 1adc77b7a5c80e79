import { namesIn } from './call-url.ts';
import type { Parameters } from './options.ts';

/** A parameter that contains a text in the query language of a system. */
export interface StatementOptions {
  readonly parameter: string;
  readonly text: string;
}

/**
 * Parameters with a statement that contains those that it names in braces, instead of themselves. A name without a value is left
 * out. Values of `quoted` are escaped as parts of texts in single quotes.
 */
export function withStatement(
  statement: StatementOptions | undefined,
  parameters: Parameters,
  quoted: Readonly<Record<string, unknown>> = {},
): Parameters {
  if (!statement) return parameters;
  const { parameter, text } = statement;
  const named = new Set(namesIn(text));
  const others = Object.entries(parameters).filter(([name]) => !named.has(name));
  const filled = text.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : escaped(quoted[name]),
  );
  return { ...Object.fromEntries(others), [parameter]: filled };
}

function escaped(value: unknown): string {
  return String(value ?? '').replace(/[\\']/g, String.raw`\$&`);
}
