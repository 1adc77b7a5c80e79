import { expect } from 'vitest';
import type { ValueProblem } from '../src/mapping/problem.ts';
import type { PlatformConnection } from './platform-connection.ts';

/** Reads every stream of a running system and derives every record from its rows: all columns exist and no value is a problem. */
export async function expectEveryStreamToBeMapped(connection: PlatformConnection): Promise<void> {
  for (const stream of connection.platform.streams) {
    const rows = await connection.pullAll(stream.name);
    expect(rows.length, stream.name).toBeGreaterThan(0);
    const columns = (await connection.driver.discover.columns(stream))?.map(({ name }) => name);
    for (const { stream: name, paths, entity } of Object.values(connection.platform.mappings)) {
      if (name !== stream.name) continue;
      for (const { path } of paths) expect(columns, `${entity}: ${path}`).toContain(path.split('.')[0]);
      const problems: ValueProblem[] = [];
      for (const row of rows) connection.mapping(entity).read(row, problems);
      expect(problems, entity).toEqual([]);
    }
  }
}
