import { problemLine } from '@unified/connectors';
import { listConnections } from '@unified/store';
import { isBroken, platformOrProblems } from '../model/broken-platform.ts';
import { allSystems } from '../model/systems.ts';
import type { ConnectionParts } from './connection-parts.ts';

/**
 * What is wrong with the files of the platforms that active connections use, one line for each problem, with what works in
 * spite of it. Connections of other platforms are not concerned.
 */
export async function brokenPlatforms({
  store,
  systems = allSystems,
}: Pick<ConnectionParts, 'store' | 'systems'>): Promise<string[]> {
  const active = (await listConnections(store)).filter(({ status }) => status === 'active');
  const lines: string[] = [];
  for (const [id, connections] of Map.groupBy(active, ({ platform }) => platform)) {
    const names = connections.map(({ name }) => `"${name}"`).join(', ');
    const platform = platformOrProblems(systems, id);
    if (isBroken(platform)) {
      const advice = `Correct it and restart: until then ${names} is served as it was copied, and neither read nor written.`;
      lines.push(...platform.problems.map((problem) => `${problemLine(problem)}. ${advice}`));
      continue;
    }
    for (const { entity, problems } of platform.broken) {
      const advice = `Correct it and restart: until then ${entity} of ${names} is neither read nor written.`;
      lines.push(...problems.map((problem) => `${problemLine(problem)}. ${advice}`));
    }
  }
  return lines;
}
