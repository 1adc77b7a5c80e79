import { yamlInLine } from '@unified/connectors';
import type { Derivation, DraftedMapping, MappedRow, MappingPreview, ShownMapping } from '@unified/engine';

/** The progress of a worker with the records, in one sentence. */
export function derivationLine(derivation: Derivation | null): string {
  if (derivation === null) return '';
  const { state, rows, totalRows } = derivation;
  if (state === 'completed') return `All records are derived from ${totalRows} rows.`;
  if (state === 'running') return `Records are being derived: ${rows} of ${totalRows} rows.`;
  if (totalRows === 0)
    return 'Its records are derived as soon as the table is copied; mapping revisions shows the progress.';
  return `A running worker derives the records from ${totalRows} rows; mapping revisions shows the progress.`;
}

/** One line per revision. */
export function revisionLines(revisions: readonly ShownMapping[]): string {
  return revisions
    .map(({ revision, isActive, changedFields, createdAt, createdBy, note, derivation }) => {
      const what = revision === 0 ? 'the mapping of the platform' : `${changedFields.join(', ') || 'no field'} changed`;
      const by = createdBy === null ? '' : ` by ${createdBy}`;
      const about = note === null ? '' : `: ${note}`;
      const state = isActive ? `  active. ${derivationLine(derivation)}` : '';
      return `${revision}  ${createdAt}${by}  ${what}${about}${state}`;
    })
    .join('\n');
}

/** Each row with its record and problems. */
export function trialText(rows: readonly MappedRow[]): string {
  if (rows.length === 0) return 'The stream has no rows.';
  return rows
    .map(({ key, row, record, problems }) =>
      [
        `${key}`,
        `  row     ${JSON.stringify(row)}`,
        `  record  ${record === null ? 'none: the row does not belong to this entity' : JSON.stringify(record)}`,
        ...problems.map((problem) => `  ✗ ${problem}`),
      ].join('\n'),
    )
    .join('\n');
}

/** Counts, then single changes. */
export function previewText({ rows, records, created, deleted, fields, examples }: MappingPreview): string {
  const counts = `Of ${rows} rows: ${records} records would change, ${created} would be new, ${deleted} would no longer exist.`;
  const byField = fields.map(
    ({ field, records: n, problems }) =>
      `  ${field}: ${n} records${problems > 0 ? `, ${problems} values cannot be used` : ''}`,
  );
  const changes = examples.map(
    ({ key, field, before, after }) => `  ${key} ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  );
  return [counts, ...byField, ...(changes.length > 0 ? ['Examples:', ...changes] : [])].join('\n');
}

/** A draft as a file for `mapping edit --file`, with the reasons as comments. */
export function draftText(entity: string, draft: DraftedMapping): string {
  const { stream, customStream, parts, proposals, unassigned, unusedColumns, missingFields } = draft;
  const listed = (title: string, names: readonly string[]) =>
    names.length > 0 ? [`# ${title}: ${names.join(', ')}`] : [];
  const lines = [
    `# A draft for ${entity} from the names, types and values of columns: check every line.`,
    ...(customStream
      ? [`# No stream copies the table: save with --add-stream. Its key is ${customStream.key.join(', ')}.`]
      : []),
    `stream: ${yamlInLine(stream)}`,
    proposals.length > 0 ? 'fields:' : 'fields: {} # No column matches a field: map at least one.',
    ...proposals.map(
      ({ field, word, confidence, reason }) => `  ${field}: ${yamlInLine(word)} # ${confidence}: ${reason}`,
    ),
    ...(Object.keys(parts).length > 0 ? ['parts:'] : []),
    ...Object.entries(parts).map(([name, word]) => `  ${name}: ${yamlInLine(word)}`),
    ...unassigned.flatMap(({ field, values }) => listed(`To assign in ${field}`, values)),
    ...listed('Columns without a field', unusedColumns),
    ...listed('Fields without a column', missingFields),
  ];
  return `${lines.join('\n')}\n`;
}
