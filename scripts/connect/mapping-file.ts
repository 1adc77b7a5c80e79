import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Json, parseYaml, yamlInLine } from '@unified/connectors';
import type { ShownMapping } from '@unified/engine';
import { Refusal } from '../command-line/usage.ts';

/** A mapping in a file: the same properties as in a request of the API. */
export interface FileMapping {
  readonly stream?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly parts?: Readonly<Record<string, unknown>>;
}

/** A mapping as YAML, one line per field. */
export function mappingText({ entity, revision, stream, fields, changedFields, parts }: ShownMapping): string {
  const lines = [
    `# ${entity}, revision ${revision}. Fields that you remove keep the mapping of the platform; null leaves a field out.`,
    ...(changedFields.length > 0 ? [`# Changed fields: ${changedFields.join(', ')}`] : []),
    ...(stream === null ? [] : [`stream: ${yamlInLine(stream)}`]),
    'fields:',
    ...linesOf(fields),
    ...(Object.keys(parts).length > 0 ? ['parts:', ...linesOf(parts)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(words: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(words).map(([name, word]) => `  ${name}: ${yamlInLine(word as Json)}`);
}

/** The mapping in a text. Throws `DefinitionError` with line and column, and `Refusal`. */
export function mappingIn(content: string, file: string): FileMapping {
  const parsed = parseYaml(content, file);
  const unknown = Object.keys(isObject(parsed) ? parsed : {}).filter((name) => !KNOWN.includes(name));
  if (isObject(parsed) && parsed.fields === null && unknown.length === 0)
    throw new Refusal(
      `${file} maps no field.`,
      'Map at least one field: its name, and the column that it is read from.',
    );
  if (!isObject(parsed) || !isObject(parsed.fields) || unknown.length > 0) {
    const found = unknown.length > 0 ? ` It has ${unknown.map((name) => `"${name}"`).join(', ')}.` : '';
    throw new Refusal(`${file} is not a mapping.${found}`, 'It has `fields`, and optionally `stream` and `parts`.');
  }
  const { stream, fields, parts } = parsed;
  if (stream !== undefined && typeof stream !== 'string')
    throw new Refusal(`${file}: stream is not a name.`, 'Quote it.');
  if (parts !== undefined && !isObject(parts)) throw new Refusal(`${file}: parts is not an object.`, 'Remove it.');
  return { fields, ...(stream !== undefined && { stream }), ...(parts !== undefined && { parts }) };
}

const KNOWN = ['stream', 'fields', 'parts'];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The content of a file; - is standard input. Throws `Refusal`. */
export async function contentOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((cause: Error) => {
    throw new Refusal(`${file} cannot be read: ${cause.message}.`, 'Send the name of a file with a mapping.', {
      cause,
    });
  });
}
