import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStream, filesPlatform } from '../../../test/export-folder.ts';
import {
  denying,
  ending,
  endless,
  type FaultySftp,
  type ReadFault,
  silent,
  startFaultySftp,
} from '../../../test/faulty-sftp.ts';
import { openFiles } from '../open-files.ts';
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
    const impatient = new StreamFiles(openSftpFolder(server.settings, { idleMs: 300 }), {});
    await expect(lastKey(fault === silent ? impatient : files)).rejects.toMatchObject({
      kind,
      words: expect.stringMatching(words),
    });
    await impatient.close();
    // On a busy machine, the time of the impatient one may have passed before it met the fault.
    server.faults.length = 0;
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

test('a server that accepts the user and opens no session is an error, and its connection is closed', async () => {
  server.sessionFaults.push(() => {});
  const impatient = new StreamFiles(openSftpFolder(server.settings, { openMs: 2_000 }), {});
  const words = 'The SFTP server does not respond';
  await expect(impatient.check()).rejects.toMatchObject({ kind: 'unavailable', words });
  await expect.poll(server.open).toBe(0);
  // On a busy machine, the time may have passed before the session was requested.
  server.sessionFaults.length = 0;
  await files.check();
});

test('a folder is closed while its session is being opened', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  server.sessionFaults.push(resolve);
  const checked = files.check().catch((cause) => cause);
  await asked;
  await files.close();
  expect(await checked).toMatchObject({ kind: 'unavailable' });
  await expect.poll(server.open).toBe(0);
});

test('the files of a folder are listed', async () => {
  expect(await files.names()).toEqual(['items.csv']);
  expect(server.open()).toBe(1);
});

test.each([
  ['of too many files', endless('a.csv', 1_000), {}, /^The folder has more than 100000 files/],
  ['without entries', endless('', 0), {}, /^The folder has more than 100000 files/],
  ['of long names', endless('a'.repeat(30_000), 1), { maxReceivedBytes: 100_000 }, /is longer than 100000 characters/],
  ['that takes too long', endless('a.csv', 1), { listMs: 1 }, /^The folder was not listed within 0\.001 seconds/],
  ['that does not arrive', silent, { idleMs: 500 }, /^The SFTP server does not respond/],
])('a list %s is an error, and its session is closed', async (_, fault, limits, words) => {
  server.listFault = fault;
  const folder = new StreamFiles(openSftpFolder(server.settings, limits), {});
  await expect(folder.names()).rejects.toMatchObject({ words: expect.stringMatching(words) });
  await expect.poll(server.open).toBe(0);
  await folder.close();
});

test('a session that is not used is closed, and opened again when it is needed', async () => {
  const brief = new StreamFiles(openSftpFolder(server.settings, { sessionMs: 1 }), {});
  await brief.check();
  await expect.poll(server.open).toBe(0);
  const page = await brief.page({ stream: items, from: null, limit: 10_000 });
  // The pass keeps its file open, and with it the session.
  const { rows } = await brief.page({ stream: items, from: page.next, limit: 100_000 });
  expect(rows.at(-1)?.key).toBe('2');
  expect(server.connections()).toBe(2);
  await expect.poll(server.open).toBe(0);
  await brief.close();
});

test.each(['size', 'mtime'])('a file without %s is not read', async (name) => {
  server.attributes = name === 'size' ? { size: null } : { atime: null, mtime: null };
  const words = 'The SFTP server does not state the size and modification time of items.csv';
  await expect(lastKey()).rejects.toMatchObject({ kind: 'invalid', words });
});

test('a check reads a limited number of bytes of a file', async () => {
  const limited = openFiles(filesPlatform([items]), server.settings, {}, { maxReceivedBytes: 65_536 });
  const words = expect.stringMatching(/^items\.csv is larger than 0\.0625 MiB/);
  await expect(limited.discover.columns(items)).rejects.toMatchObject({ kind: 'rejected', words });
  await limited.close();
});
