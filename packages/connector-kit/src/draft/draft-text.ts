import { type Json, type MappingDraft, yamlInLine } from '@unified/connectors';

const WIDTH = 118;

/** What the file of a stream contains. */
type DraftedStream = Pick<MappingDraft, 'table' | 'key' | 'isKeyGuessed' | 'cursor' | 'isCursorKnown' | 'options'>;

/** The remark on a list of which one page was read. */
const PAGING = 'add "paging" if the list has several pages: otherwise, the rows of the others count as deleted';

/**
 * The file of a drafted stream, below `streams/`. For a list at an address (`isList`), comments state what its options must still
 * describe: how it is paged, and how its changes are requested.
 */
export function streamText(
  { table, key, isKeyGuessed, cursor: column, isCursorKnown, options }: DraftedStream,
  { isList = false }: { readonly isList?: boolean } = {},
): string {
  const named = key.length === 1 ? (key[0] ?? '') : key;
  const reason = isList ? ' from a sample of rows' : ', because the system has no primary key for it';
  const guess = isKeyGuessed ? ` # a guess${reason}` : '';
  const remark = isList ? ` # ${PAGING}` : '';
  const given = Object.keys(options).length > 0 ? [`  options: ${yamlInLine(options)}${remark}`] : [];
  return lines([
    `${yamlInLine(table)}:`,
    `  key: ${yamlInLine(named)}${guess}`,
    ...cursorLines(column, { isKnown: isCursorKnown, isList }),
    ...given,
  ]);
}

function cursorLines(
  column: string | null,
  { isKnown, isList }: { readonly isKnown: boolean; readonly isList: boolean },
): string[] {
  if (column === null) return [];
  const line = `cursor: ${yamlInLine(column)}`;
  if (isKnown) return [`  ${line}`];
  if (isList)
    return [
      `  # If ${column} changes with every change to a row, and the list can be limited to later times, remove the # below and add`,
      '  # "changes" to the options: incremental runs then read only changed rows.',
      `  # ${line}`,
    ];
  return [
    `  # If ${column} increases with every change to a row, remove the # below: incremental runs then read only changed rows.`,
    `  # ${line}`,
  ];
}

/** The file of a drafted mapping, below `mappings/`: the words that names and types suggest, with open decisions in comments. */
export function mappingText(draft: MappingDraft): string {
  const { entity, table, created, updated, unchanged, fields, unassigned, unusedColumns, unusedLists } = draft;
  const word = (name: string, value: Json) => `${name}: ${yamlInLine(value)}`;
  return lines([
    '# A draft from the names and types of columns: check every line.',
    '# Mapping expressions: packages/connectors/src/mapping/README.md. Fields: the reference of the API.',
    word('entity', entity.name),
    word('stream', table),
    ...(created ? [word('created', { datetime: created })] : []),
    ...(updated ? [word('updated', timeOf(updated, unchanged))] : []),
    'fields:',
    ...[...fields].map(([name, value]) => `  ${word(name, value)}`),
    ...[...unassigned].flatMap(([name, values]) =>
      comment(
        fields.has(name) ? `To assign in ${name}` : `To assign in ${name}, which needs a lookup`,
        values.map((value) => yamlInLine(value)),
      ),
    ),
    ...comment(
      'Columns without a field',
      unusedColumns.map(({ name, type }) => `${name} (${type})`),
    ),
    ...comment('Lists without a field', unusedLists),
    ...comment(`Fields of ${entity.name} without a column`, draft.fieldsWithoutColumn),
  ]);
}

function timeOf(updated: string, unchanged: string | null): Json {
  const time = { datetime: updated };
  return unchanged === null ? time : { coalesce: [time, { datetime: unchanged }] };
}

/** A list as comment lines; nothing if it is empty. */
function comment(title: string, items: readonly string[]): string[] {
  const rows: string[] = [];
  let row = `# ${title}:`;
  for (const [index, item] of items.entries()) {
    const text = `${oneLine(item)}${index < items.length - 1 ? ',' : ''}`;
    if (row.length + text.length + 1 > WIDTH) {
      rows.push(row);
      row = `#   ${text}`;
    } else row = `${row} ${text}`;
  }
  return items.length === 0 ? [] : [...rows, row];
}

/** On one line, because names of columns come from the system. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
