import type { Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, named } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a contact', () => {
  test('that becomes the main contact of its company replaces the previous one', async () => {
    const company = await named('Vendor', 'ACME Supplies');
    const first = await create('Contact', { name: 'Ada Berg', company, isPrimary: true });
    const second = await create('Contact', { name: 'Bo Lind', company, isPrimary: true });
    expect(await sandbox.record('Contact', first)).toMatchObject({ values: { isPrimary: false } });
    expect(await sandbox.record('Contact', second)).toMatchObject({
      values: { kind: 'contact', isPrimary: true, isActive: true },
      references: { company: { entity: 'Vendor', value: company._idValue } },
    });
  });

  test('that is inactive cannot be the main contact', async () => {
    const answer = create('Contact', { name: 'Cy Moor', isPrimary: true, isActive: false });
    await expect(answer).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(/KO-012: Cy Moor/) });
  });
});

describe('a comment', () => {
  test('is written by the user of the interface, and replies are added to its thread', async () => {
    const subject = await named('Vendor', 'ACME Supplies');
    const parent = await create('Comment', { subject, body: 'Who orders the bolts?', isInternal: true });
    const answered = { ...subject, entity: 'Comment', _idValue: parent };
    const answer = await create('Comment', { subject, parent: answered, body: 'I do.' });
    const { references } = await sandbox.record('Comment', answer);
    expect(references.parent).toMatchObject({ entity: 'Comment', value: parent });
    const author = await sandbox.resolve(references.author as Reference);
    expect(author._displayValue).toBe('Interface');
    const elsewhere = await named('Customer', 'Baker & Sons');
    await expect(create('Comment', { subject: elsewhere, parent: answered, body: 'Me too' })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/NO-011: note N-\d+ belongs to another record/),
    });
  });

  test('shows the files that were added to it', async () => {
    const comment = await create('Comment', {
      subject: await named('Vendor', 'ACME Supplies'),
      body: 'See the photo.',
    });
    const subject = { ...(await named('Vendor', 'ACME Supplies')), entity: 'Comment', _idValue: comment };
    const file = await create('Attachment', { name: 'bolt.png', subject, contentType: 'image/png', kind: 'image' });
    const attached = async () => (await sandbox.record('Comment', comment)).references.attachments;
    expect(await attached()).toEqual([{ entity: 'Attachment', by: '_idValue', value: file }]);
    await sandbox.driver.writes.remove(sandbox.stream('Attachment'), file, sandbox.intent());
    expect(await attached()).toEqual([]);
  });
});

describe('an attachment', () => {
  test('of a work order is shown on it, as comments are, even after it is settled', async () => {
    const orders = await sandbox.records('WorkOrder');
    const { _idValue } =
      orders.find(({ values }) => values.statusCategory === 'closed') ?? expect.fail('none is settled');
    const subject = { ...(await named('Vendor', 'ACME Supplies')), entity: 'WorkOrder', _idValue };
    const file = await create('Attachment', { name: 'report.pdf', subject, contentType: 'application/pdf' });
    const before = Date.now();
    const comment = await create('Comment', { subject, body: 'Report attached.' });
    const { values, references } = await sandbox.record('WorkOrder', _idValue);
    expect(references.attachments).toContainEqual({ entity: 'Attachment', by: '_idValue', value: file });
    expect(references.comments).toContainEqual({ entity: 'Comment', by: '_idValue', value: comment });
    expect(Date.parse(String(values._updatedAt))).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ['WorkRequest', 'attachments'],
    ['WorkTask', 'attachments'],
    ['MaintenanceTemplate', 'attachments'],
    ['Contract', 'documents'],
  ])('of a %s is in its %s until it is deleted', async (entity, list) => {
    const [first] = await sandbox.records(entity);
    const _idValue = first?._idValue ?? expect.fail(`there is no ${entity}`);
    const listed = async () => (await sandbox.record(entity, _idValue)).references[list];
    const before = await listed();
    const subject = { ...(await named('Vendor', 'ACME Supplies')), entity, _idValue };
    const file = await create('Attachment', { name: 'photo.png', subject, contentType: 'image/png' });
    const reference = { entity: 'Attachment', by: '_idValue', value: file };
    expect((await sandbox.record('Attachment', file)).references.subject).toEqual({
      ...reference,
      entity,
      value: _idValue,
    });
    expect(await listed()).toEqual([before ?? [], reference].flat());
    await sandbox.driver.writes.remove(sandbox.stream('Attachment'), file, sandbox.intent());
    expect(await listed()).toEqual(before);
  });

  test('has a file with its size and checksum, unless it is a link', async () => {
    const records = await sandbox.records('Attachment');
    const has = async ({ _idValue }: { _idValue: string }) => {
      return sandbox.driver.contents?.find(sandbox.stream('Attachment'), _idValue);
    };
    const [link] = records.filter(({ values }) => values.kind === 'link');
    const [file] = records.filter(({ values }) => values.kind === 'image');
    expect(await has(link ?? expect.fail('no link'))).toBeNull();
    expect(await has(file ?? expect.fail('no file'))).toEqual({
      sizeBytes: Number(file?.values.sizeBytes),
      sha256: file?.values.sha256,
    });
  });

  test('that is a link needs an address', async () => {
    const subject = await named('Vendor', 'ACME Supplies');
    const link = { name: 'Price list', subject, contentType: 'text/html', kind: 'link' };
    await expect(create('Attachment', link)).rejects.toMatchObject({
      kind: 'rejected',
      words: 'AN-012: a link needs an address',
    });
    const key = await create('Attachment', { ...link, url: 'https://acme.example/prices' });
    expect(await sandbox.record('Attachment', key)).toMatchObject({ values: { url: 'https://acme.example/prices' } });
  });

  test('of a finished purchase order cannot be deleted', async () => {
    const orders = await sandbox.records('PurchaseOrder');
    const finished = orders.find(({ values }) => values.statusCategory === 'closed') ?? expect.fail('none is finished');
    const subject = {
      ...(await named('Vendor', 'ACME Supplies')),
      entity: 'PurchaseOrder',
      _idValue: finished._idValue,
    };
    const key = await create('Attachment', { name: 'invoice.pdf', subject, contentType: 'application/pdf' });
    await expect(
      sandbox.driver.writes.remove(sandbox.stream('Attachment'), key, sandbox.intent()),
    ).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/AN-021: .* which is finished/),
    });
  });
});
