import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStream } from '../../../test/export-folder.ts';
import {
  denying,
  ending,
  type FaultySftp,
  type ReadFault,
  silent,
  startFaultySftp,
} from '../../../test/faulty-sftp.ts';
import { StreamFiles } from '../stream-files.ts';
import { openSftpFolder } from './sftp-folder.ts';

let server: FaultySftp;
let files: StreamFiles;
const items = fileStream('items.csv');

beforeEach(async () => {
  server = await startFaultySftp(Buffer.from(`id;name\n${'1;a long value\n'.repeat(20_000)}2;b\n`));
  files = new StreamFiles(openSftpFolder(server.settings), {});
});
afterEach(async () => {
  await files.close();
  await server.stop();
});

async function lastKey(of = files): Promise<string | undefined> {
  const { rows } = await of.page({ stream: items, from: null, limit: 100_000 });
  return rows.at(-1)?.key;
}

test.each([
  ['ends the connection in the middle of a file', ending, /^items\.csv could not be read to its end/, 'unavailable'],
  ['does not answer', silent, /^The SFTP server does not respond$/, 'unavailable'],
  ['denies reading', denying, /^items\.csv may not be read by this user$/, 'forbidden'],
] as readonly [string, ReadFault, RegExp, string][])(
  'a server that %s is an error, and the file is read completely afterwards',
  async (_, fault, words, kind) => {
    server.faults.push('answer', fault);
    const impatient = new StreamFiles(openSftpFolder(server.settings, 300), {});
    await expect(lastKey(fault === silent ? impatient : files)).rejects.toMatchObject({
      kind,
      words: expect.stringMatching(words),
    });
    await impatient.close();
    expect(await lastKey()).toBe('2');
  },
);

test('one session serves all requests, and a wrong password is refused without being shown', async () => {
  await Promise.all([files.check(), files.check(), lastKey()]);
  expect(server.connections()).toBe(1);
  const other = new StreamFiles(openSftpFolder({ ...server.settings, password: 'wrong secret' }), {});
  const failure = await other.check().catch((cause: Error) => cause);
  expect(failure).toMatchObject({ kind: 'unauthorized', words: 'The SFTP server refuses the user' });
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('wrong secret');
  await other.close();
});
