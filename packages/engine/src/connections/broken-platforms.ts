import { type DefinitionProblem, problemLine } from '@unified/connectors';
import { listConnections } from '@unified/store';
import { type BrokenPlatform, isBroken, modelOrProblems } from '../model/broken-platform.ts';
import type { ConnectionModel } from '../model/connection-model.ts';
import { allSystems } from '../model/systems.ts';
import type { ConnectionParts } from './connection-parts.ts';

/**
 * The problems of the platforms and mappings of active connections: one line per problem, with the affected connections and
 * what still works.
 */
export async function brokenPlatforms({
  store,
  systems = allSystems,
}: Pick<ConnectionParts, 'store' | 'systems'>): Promise<string[]> {
  const active = (await listConnections(store)).filter(({ status }) => status === 'active');
  const found: { readonly problem: string; readonly entity: string | null; readonly name: string }[] = [];
  for (const connection of active) {
    const model = await modelOrProblems({ store, systems }, connection);
    found.push(...problemsIn(model).map((each) => ({ ...each, name: connection.name })));
  }
  const lines = Map.groupBy(found, ({ problem, entity }) => `${entity ?? ''}\n${problem}`);
  return [...lines.values()].map((same) => lineOf(same));
}

function problemsIn(model: ConnectionModel | BrokenPlatform): { problem: string; entity: string | null }[] {
  const lineOf = (entity: string | null) => (problem: DefinitionProblem) => ({ problem: problemLine(problem), entity });
  if (isBroken(model)) return model.problems.map(lineOf(null));
  return model.broken.flatMap(({ entity, problems }) => problems.map(lineOf(entity)));
}

/** One line for a problem that several connections share. */
function lineOf(
  same: readonly { readonly problem: string; readonly entity: string | null; readonly name: string }[],
): string {
  const names = same.map(({ name }) => `"${name}"`).join(', ');
  const [{ problem, entity } = { problem: '', entity: null }] = same;
  const effect =
    entity === null
      ? `${names} is served from the copy, and neither read nor written`
      : `${entity} of ${names} is neither read nor written`;
  return `${problem}. Correct it: until then ${effect}.`;
}
