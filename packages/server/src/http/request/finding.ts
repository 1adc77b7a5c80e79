import { entityOf, type Field, type Operation, type OperationKind } from '@unified/contract';

/** A problem that the request validator found; its `errorCode` begins with the schema keyword that was violated. */
export interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
  /** Whether null is allowed as well, if the message does not mention it. */
  readonly orNull?: boolean;
}

const UNIONS = new Set(['anyOf', 'oneOf']);
const SUMMARIES = new Set([...UNIONS, 'if']);

/** The keyword that was violated, such as `required`; empty for a problem outside of schemas. */
export function keywordOf({ errorCode = '' }: Finding): string {
  const keyword = errorCode.split('.')[0] ?? '';
  // The validator's own keyword for the type of a value that has a format.
  return keyword === 'x-eov-type' ? 'type' : keyword;
}

/**
 * The findings that help a client. Omitted are summaries of other findings ("must match a schema in anyOf"), findings that a
 * value is not null if a union allows null, and findings about the type of an enum value.
 */
export function tellingFindings(findings: readonly Finding[]): readonly Finding[] {
  const pathsOf = (keep: (finding: Finding) => boolean) => new Set(findings.filter(keep).map(({ path }) => path));
  const unions = pathsOf((finding) => UNIONS.has(keywordOf(finding)));
  const nullable = pathsOf((finding) => isNullOnly(finding) && unions.has(finding.path));
  const listed = pathsOf((finding) => keywordOf(finding) === 'enum');
  const malformed = pathsOf((finding) => keywordOf(finding) === 'format');
  const telling = findings.filter(
    (finding) =>
      !SUMMARIES.has(keywordOf(finding)) &&
      !(keywordOf(finding) === 'type' && listed.has(finding.path)) &&
      !(keywordOf(finding) === 'pattern' && malformed.has(finding.path)) &&
      !(isNullOnly(finding) && nullable.has(finding.path)),
  );
  if (telling.length === 0) return findings;
  return joinTypes(telling).map((finding) => (nullable.has(finding.path) ? { ...finding, orNull: true } : finding));
}

/** Joins the findings for a value that has none of the types of a union: `must be string,number`. */
function joinTypes(findings: readonly Finding[]): readonly Finding[] {
  const typed = Map.groupBy(findings.filter(isType), ({ path }) => path);
  return findings.flatMap((finding) => {
    const same = isType(finding) ? (typed.get(finding.path) ?? []) : [];
    if (same.length < 2) return finding;
    const types = new Set(same.flatMap(({ message }) => message.slice(MUST_BE.length).split(',')));
    return finding === same[0] ? { ...finding, message: MUST_BE + [...types].join(',') } : [];
  });
}

const MUST_BE = 'must be ';

function isType(finding: Finding): boolean {
  return keywordOf(finding) === 'type' && finding.message.startsWith(MUST_BE);
}

function isNullOnly(finding: Finding): boolean {
  return keywordOf(finding) === 'type' && finding.message === 'must be null';
}

const CLOSED = new Set(['additionalProperties', 'unevaluatedProperties']);
/** Paths in a body that point to fields of a record, or of one of its lines, by kind of operation. */
const OF_RECORD = /^\/body\/([^/]+)(?:\/\d+\/([^/]+))?$/;
const PLACES: Partial<Record<OperationKind, RegExp>> = {
  create: OF_RECORD,
  update: OF_RECORD,
  replace: OF_RECORD,
  createMany: /^\/body\/items\/\d+\/([^/]+)(?:\/\d+\/([^/]+))?$/,
};

/** Whether the finding concerns a field of the operation's entity, or of its lines, that cannot be written. */
export function isReadOnly(finding: Finding, { kind, entity = '' }: Operation): boolean {
  if (!CLOSED.has(keywordOf(finding))) return false;
  const [, name = '', ofLine] = PLACES[kind]?.exec(finding.path) ?? [];
  const field = entityOf(entity)?.field[name];
  return (ofLine === undefined ? field : fieldOfLine(field, ofLine))?.writable === false;
}

/** A field of lines that are separate records. */
function fieldOfLine(lines: Field | undefined, name: string): Field | undefined {
  const [target] = lines?.targets ?? [];
  return target === undefined ? undefined : entityOf(target)?.field[name];
}
