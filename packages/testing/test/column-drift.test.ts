import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../connectors/test/system-database.ts';
import { expectDriftReported } from './column-drift.ts';
import { START_MS } from './stack.ts';

test(
  'columns of a PostgreSQL that are renamed, dropped or retyped are reported, and no field is emptied in silence',
  async () => {
    const server = await testDatabase();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      await expectDriftReported({
        url: server.url,
        sql: (text) => client.query(text),
        types: { text: 'character varying(20)', integer: 'integer' },
        retype: 'alter table supplier alter lead_days type varchar(20) using lead_days::text',
      });
    } finally {
      await client.end();
      await server.stop();
    }
    expect.hasAssertions();
  },
  START_MS,
);
