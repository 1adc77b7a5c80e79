import { type Operation, resolve, templateOf } from '@unified/contract';
import { plainText } from '../src/html.ts';
import { parametersOf } from '../src/reference/parameter-examples.ts';
import type {
  DocumentContent,
  DocumentOperation,
  DocumentParameter,
  DocumentResponse,
  DocumentSchema,
} from '../src/reference/reference-document.ts';
import { allowedStates, tokensOf } from './operation-notes.ts';
import { type Described, type Direction, factsOf, innerOf, marksOf, type Row, valuesOf } from './property-rows.ts';
import { nameOf, propertiesOf, schemaRef } from './schema.ts';
import { typeOf } from './schema-type.ts';

/** One operation as Markdown, with everything that its section on the HTML page contains. */
export function operationText(described: Described, operation: Operation): string {
  const { id, path, method, deprecated } = operation;
  const node = described.document.paths[path]?.[method] ?? {};
  const { summary = id, description, 'x-codeSamples': samples = [] } = node;
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${templateOf(operation)}\` (operation \`${id}\`)`,
    ...(deprecated ? ['Deprecated.'] : []),
    ...(description ? [description] : []),
    [tokensOf(operation), allowedStates(node)].filter(Boolean).join(' '),
    ...parametersText(described, 'Parameters', parametersOf(described.document, operation), 'request'),
    ...bodyText(described, node, 'request'),
    ...responsesText(described, node),
    ...samples.map(({ lang, source }) => `\`\`\`${lang === 'curl' ? 'sh' : 'ts'}\n${source}\n\`\`\``),
  ].join('\n\n');
}

/** The fields of a record as a list in Markdown. */
export function fieldsText(described: Described, record: string): string {
  return linesOf(described, schemaRef(record), 'response', [record]).join('\n');
}

/** Parameters below a title. */
export function parametersText(
  described: Described,
  title: string,
  parameters: readonly DocumentParameter[],
  direction: Direction,
): string[] {
  const lines = parameters.flatMap(({ name = '', in: place = '', required = false, description, schema = {} }) =>
    rowLines(described, { name, place, schema, isRequired: required, description }, direction, []),
  );
  return lines.length === 0 ? [] : [`### ${title}`, lines.join('\n')];
}

/** The bodies of a request by media type. */
export function bodyText(described: Described, { requestBody }: DocumentOperation, direction: Direction): string[] {
  if (!requestBody?.content) return [];
  const title = requestBody.required ? '### Body' : '### Body (optional)';
  return [title, ...contentText(described, requestBody.content, direction)];
}

/** The responses by status. The descriptions of errors list their codes. */
export function responsesText(described: Described, { responses = {} }: DocumentOperation): string[] {
  const texts = Object.entries(responses).flatMap(([status, each]) => {
    const { description = '', content = {} } = resolve<DocumentResponse>(described.document, each);
    const isError = status === 'default' || Number(status) >= 400;
    return [`**${status}**: ${description}`, ...(isError ? [] : contentText(described, content, 'response'))];
  });
  return texts.length === 0 ? [] : ['### Responses', ...texts];
}

/** The type of each body, and its properties unless they have a section of their own. */
function contentText(described: Described, content: DocumentContent, direction: Direction): string[] {
  return Object.entries(content).flatMap(([type, { schema = {} }]) => {
    const isElsewhere = described.linkOfRecord(nameOf(schema) ?? '') !== undefined;
    const lines = isElsewhere ? [] : linesOf(described, schema, direction, []);
    return [`\`${type}\`: ${typeText(described, schema)}`, ...(lines.length > 0 ? [lines.join('\n')] : [])];
  });
}

function linesOf(
  described: Described,
  schema: DocumentSchema,
  direction: Direction,
  above: readonly string[],
): string[] {
  const name = nameOf(schema);
  const inside = name === undefined ? above : [...above, name];
  return propertiesOf(described.document, schema).flatMap((row) => rowLines(described, row, direction, inside));
}

/** A row as an item of a list; the properties of objects within it are indented below it. */
function rowLines(described: Described, row: Row, direction: Direction, above: readonly string[]): string[] {
  const schema = resolve<DocumentSchema>(described.document, row.schema);
  const marks = [typeText(described, row.schema), ...marksOf(row, schema, direction), ...factsOf(schema)];
  const values = valuesOf(described.document, schema)?.map((value) => `\`${value}\``);
  const texts = [row.description ?? schema.description ?? '', values ? `One of ${values.join(', ')}.` : ''];
  const text = texts.filter(Boolean).join(' ').replaceAll(/\s+/g, ' ');
  const inner = innerOf(described, row.schema, above).flatMap((each) =>
    linesOf(described, each.schema, direction, each.above),
  );
  return [
    `- \`${row.name}\` (${marks.join(', ')})${text && `: ${text}`}`,
    ...[...new Set(inner)].map((line) => `  ${line}`),
  ];
}

function typeText({ document, linkOfRecord }: Described, schema: DocumentSchema): string {
  return plainText(typeOf(document, schema, linkOfRecord));
}
