import { committedScore, everyCheck, scoredSystems } from '@unified/connector-kit';
import type { CompiledMapping, Platform } from '@unified/connectors';

/** A platform, and whether it was tested only on a test server that follows the documentation of the system. */
interface CoveredPlatform {
  readonly platform: Platform;
  readonly isDocumented: boolean;
  /** The test that carries out every write and action. */
  readonly everyWrite?: string;
}

/** The content of docs/coverage.md: the measured scores, the points of each check, and every entity of these platforms. */
export function coverage(platforms: readonly CoveredPlatform[]): string {
  return [scores(), points(), ...platforms.map(entities)].join('\n\n');
}

function scores(): string {
  const rows = scoredSystems().map((name) => {
    const { system, score, measuredOn, parts, entities: read } = committedScore(name);
    const failed = parts.filter(({ result }) => result === 'failed').map(({ check }) => check);
    const apart = parts.filter(({ result }) => result === 'not_applicable').map(({ check }) => check);
    return row([name, system, score, failed.join(', '), apart.join(', '), read.length, measuredOn]);
  });
  const head = ['name', 'measured on', 'score', 'failed', 'does not apply', 'entities read', 'date'];
  return ['## Scores\n', row(head), row(Array(head.length).fill('---')), ...rows].join('\n');
}

function points(): string {
  const rows = everyCheck.map(({ name, points: count, asserts, consequence }) =>
    row([name, count, asserts, consequence]),
  );
  const head = ['check', 'points', 'asserts', 'otherwise'];
  return ['## Checks\n', row(head), row(Array(head.length).fill('---')), ...rows].join('\n');
}

function entities({ platform, isDocumented, everyWrite }: CoveredPlatform): string {
  const measured = scoredSystems()
    .map((name) => ({ name, ...committedScore(name) }))
    .filter((score) => score.platform === platform.id);
  const mappings = Object.values(platform.mappings).sort((a, b) => (a.entity < b.entity ? -1 : 1));
  // Several systems of a platform have a column each.
  const read = measured.length > 1 ? measured.map(({ name }) => `read (${name})`) : ['read'];
  const head = ['entity', ...read, 'writes', 'actions'];
  const result = isDocumented ? 'as documented' : 'proven';
  const proofs = measured.length > 0 ? measured.map((score) => score.entities) : [[]];
  const rows = mappings.map((mapping) => row(cellsOf(mapping, proofs, result)));
  const note = isDocumented ? ['Not yet proven on the real system.\n'] : [];
  if (everyWrite !== undefined) note.push(`Every write and action is [carried out and found](../${everyWrite}).\n`);
  return [`## ${platform.name}\n`, ...note, row(head), row(Array(head.length).fill('---')), ...rows].join('\n');
}

/** The checks change nothing in a system, so writes and actions are listed without a result. */
function cellsOf(
  { entity, writes, actions }: CompiledMapping,
  proofs: readonly (readonly string[])[],
  result: string,
): string[] {
  const read = proofs.map((entities) => (entities.includes(entity) ? result : 'not yet'));
  return [entity, ...read, [...writes].join(', '), Object.keys(actions).join(', ')];
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
