import { expect, test } from 'vitest';
import { executeIn, startMariaDb } from '../../connectors/test/running-mariadb.ts';
import { expectDriftReported } from './column-drift.ts';
import { START_MS } from './stack.ts';

test(
  'columns of a MariaDB that are renamed, dropped or retyped are reported, and no field is emptied in silence',
  async () => {
    const server = await startMariaDb();
    try {
      await expectDriftReported({
        url: server.url,
        sql: (text) => executeIn(server.url, text),
        types: { text: 'varchar(20)', integer: 'int(11)' },
        retype: 'alter table supplier modify lead_days varchar(20)',
      });
    } finally {
      await server.stop();
    }
    expect.hasAssertions();
  },
  START_MS,
);
