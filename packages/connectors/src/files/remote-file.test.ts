import { expect, test } from 'vitest';
import { openLocalFolder } from './local-folder.ts';
import { openedRemote } from './remote-file.ts';

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

test.each([Number.NaN, 2 ** 40])('a workbook with the stated size %s is not copied without end', async (sizeBytes) => {
  const file = { folder: openLocalFolder('.'), name: 'items.xlsx', path: 'items.xlsx', sizeBytes, modifiedMs: 0 };
  const opened = openedRemote(file, endless(), 1024 ** 2);
  const words = 'items.xlsx is larger than 1 MiB. Export it as CSV, or as several files';
  await expect(opened.handle()).rejects.toMatchObject({ kind: 'rejected', words });
  await opened.close();
});
