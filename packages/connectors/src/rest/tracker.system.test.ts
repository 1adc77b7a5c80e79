import { describe, expect, onTestFinished, test } from 'vitest';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { httpServer } from '../../test/http-server.ts';
import { reference } from '../../test/rest-connection.ts';
import { trackerConnection, trackerOfFile } from '../../test/running-tracker.ts';
import type { Row } from '../driver.ts';

const { tracker, connection } = await trackerOfFile();
const { api, plant } = tracker;
const [, second = '', third = ''] = plant.orders;
const site = reference('Site', plant.queue);

const keys = async (name: string, options = {}) => (await connection.pullAll(name, options)).map(({ key }) => key);
const ticket = (key: string) => api.one(`/ticket/${key}`);
const order = (values: Row = {}) => connection.create('WorkOrder', { name: 'Replace bearing', site, ...values });

describe('a full pass', () => {
  test.each([4, 100])('reads the tickets of all queues but General once, in pages of %i', async (limit) => {
    expect(await keys('tickets', { limit })).toEqual(await api.tickets("Queue != 'General'"));
    expect(await keys('requests', { limit })).toEqual(await api.tickets("Queue = 'General'"));
    expect(await keys('tickets', { limit })).toEqual(expect.arrayContaining([...plant.orders]));
  });

  test('reads every stream, and each row of it in every mapping without a problem', () =>
    expectEveryStreamToBeMapped(connection));

  test('does not find tickets that were deleted', async () => {
    const key = await api.create('/ticket', { Queue: plant.queue, Subject: 'Short-lived' });
    expect(await keys('tickets')).toContain(key);
    await api.call('DELETE', `/ticket/${key}`);
    expect(await keys('tickets')).not.toContain(key);
  });
});

test('the queue of work requests is not a site, so no work order is created in it', async () => {
  const names = (await connection.pullAll('queues')).map(({ row }) => row.Name);
  expect(names).toContain('Maintenance');
  expect(names).not.toContain('General');
});

test('an incremental pass reads changed tickets and their comments, although the zone of the user is behind UTC', async () => {
  const since = await connection.driver.changes.mark(connection.stream('tickets'));
  const key = await api.create('/ticket', { Queue: plant.queue, Subject: 'Changed', Content: 'Leaks' });
  expect(await keys('tickets', { since })).toContain(key);
  const comments = (await connection.pullAll('comments', { since })).filter(({ row }) => row.ticket === key);
  expect(comments.map(({ row }) => row.Content)).toEqual(['Leaks']);
  await api.call('DELETE', `/ticket/${key}`);
});

test('the entities of the platform are read with their references', async () => {
  expect(await connection.read('WorkOrder', second)).toMatchObject({
    name: 'Work order 2',
    statusCategory: 'open',
    priorityLevel: 3,
    site: { entity: 'Site', value: plant.queue },
    assignedTo: null,
    scheduledStartAt: null,
    actualDurationMinutes: 75,
  });
  expect(await connection.read('WorkOrder', third)).toMatchObject({ statusCategory: 'completed' });
  expect(await connection.read('WorkRequest', plant.request)).toMatchObject({ statusCategory: 'pending_approval' });
  expect(await connection.read('Employee', 'erika')).toMatchObject({ name: 'Erika Technician', isActive: true });
  expect(await connection.read('User', 'max')).toMatchObject({ username: 'max', employee: { value: 'max' } });
  expect(await connection.read('Site', plant.queue)).toMatchObject({ name: 'Maintenance', description: 'Bottling' });
  expect(await connection.read('Asset', plant.asset)).toMatchObject({
    name: 'Pump 1',
    statusCategory: 'commissioning',
  });
  const subject = { entity: 'WorkOrder', value: second };
  const comments = (await connection.pullAll('comments')).map((row) => connection.mapping('Comment').read(row));
  const started = comments.find((comment) => comment?.values.body === 'Started');
  expect(started?.references).toMatchObject({ subject, author: { value: 'root' } });
  const files = (await connection.pullAll('files')).flatMap((row) => connection.mapping('Attachment').read(row) ?? []);
  expect(files).toMatchObject([{ values: { name: 'report.txt', sizeBytes: 17 }, references: { subject } }]);
});

test('a wrong token is refused', async () => {
  const wrong = trackerConnection({ url: tracker.url, token: '1-14-wrong' });
  await expect(wrong.driver.check()).rejects.toMatchObject({ kind: 'unauthorized' });
  await wrong.driver.close();
});

describe('a work order', () => {
  const values = {
    name: 'Replace bearing',
    priorityLevel: 2,
    site,
    assignedTo: reference('Employee', 'max'),
    estimatedDurationMinutes: 90,
    scheduledStartAt: '2026-12-20T06:00:00Z',
    dueAt: '2026-12-21T16:00:00Z',
  };

  test('that is created is in Request Tracker with every field, and is found if the response is lost', async () => {
    expect(Object.keys(values).sort()).toEqual([...connection.mapping('WorkOrder').writable].sort());
    const position = await connection.position('WorkOrder');
    expect(await connection.findCreated('WorkOrder', values, position)).toBeUndefined();
    const key = await connection.create('WorkOrder', values);
    expect(await ticket(key)).toMatchObject({
      Subject: 'Replace bearing',
      Priority: '75',
      Queue: { id: plant.queue },
      Owner: { id: 'max' },
      TimeEstimated: '90',
      Starts: '2026-12-20T06:00:00Z',
      Due: '2026-12-21T16:00:00Z',
    });
    expect(await connection.findCreated('WorkOrder', values, position)).toBe(key);
  });

  test('that is changed has the new values, and loses those that are cleared', async () => {
    const key = await connection.create('WorkOrder', values);
    await connection.update('WorkOrder', key, { name: 'Renamed', priorityLevel: 5, dueAt: '2026-12-22T00:00:00Z' });
    expect(await ticket(key)).toMatchObject({ Subject: 'Renamed', Priority: '0', Due: '2026-12-22T00:00:00Z' });
    await connection.update('WorkOrder', key, { dueAt: null, assignedTo: null });
    expect(await connection.read('WorkOrder', key)).toMatchObject({ dueAt: null, assignedTo: null });
  });

  test('that is deleted has the status deleted, and is in no list', async () => {
    const key = await order();
    await connection.remove('WorkOrder', key);
    expect(await ticket(key)).toMatchObject({ Status: 'deleted' });
    expect(await keys('tickets')).not.toContain(key);
  });

  test('that Request Tracker refuses is rejected with its message', async () => {
    const creating = connection.create('WorkOrder', { name: 'Nowhere', site: reference('Site', 999) });
    await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining("queue '999'") });
  });

  test('that another user changed at the same time is not overwritten', async () => {
    const key = await order();
    const url = await httpServer(async (request, response) => {
      const { method = 'GET', url: path } = request;
      let body = '';
      for await (const chunk of request) body += chunk;
      if (method === 'PUT') await api.change(`/ticket/${key}`, { Subject: 'By another user' });
      const { authorization = '', 'if-match': match } = request.headers;
      const headers = { authorization, 'content-type': 'application/json', ...(match && { 'if-match': match }) };
      const passed = await fetch(`${tracker.url}${path}`, { method, headers, ...(body !== '' && { body }) });
      const etag = passed.headers.get('etag');
      response.writeHead(passed.status, { 'content-type': 'application/json', ...(etag && { etag }) });
      response.end(await passed.text());
    });
    const through = trackerConnection({ url: url.href, token: tracker.token });
    onTestFinished(() => through.driver.close());
    const updating = through.update('WorkOrder', key, { name: 'By us' });
    await expect(updating).rejects.toMatchObject({ kind: 'conflict' });
    expect(await ticket(key)).toMatchObject({ Subject: 'By another user' });
  });

  test('has the status of every action', async () => {
    const key = await order();
    const done = new Set<string>();
    const act = async (action: string, input: Row, after: Row) => {
      done.add(action);
      await connection.act('WorkOrder', key, action, input);
      expect(await ticket(key), action).toMatchObject(after);
    };
    await act('assign', { assignedTo: reference('Employee', 'erika') }, { Owner: { id: 'erika' } });
    await act('start', {}, { Status: 'open' });
    await act('hold', {}, { Status: 'stalled' });
    await act('resume', {}, { Status: 'open' });
    await act('complete', {}, { Status: 'resolved' });
    await act('set-status', { statusCategory: 'in_progress' }, { Status: 'open' });
    await act('cancel', {}, { Status: 'rejected' });
    expect([...done].sort()).toEqual(Object.keys(connection.mapping('WorkOrder').actions).sort());
  });
});

test('a work request is created for its requester, approved, rejected and reopened', async () => {
  const input = {
    name: 'Conveyor squeaks',
    priorityLevel: 1,
    requestedBy: reference('Employee', 'erika', 'erika'),
    assignedTo: reference('Employee', 'max'),
    dueAt: '2026-12-01T00:00:00Z',
  };
  expect(Object.keys(input).sort()).toEqual([...connection.mapping('WorkRequest').writable].sort());
  const key = await connection.create('WorkRequest', input);
  expect(await ticket(key)).toMatchObject({ Queue: { id: '1' }, Requestor: [{ id: 'erika' }], Priority: '100' });
  await connection.act('WorkRequest', key, 'approve');
  expect(await ticket(key)).toMatchObject({ Status: 'open' });
  await connection.act('WorkRequest', key, 'reject');
  expect(await ticket(key)).toMatchObject({ Status: 'rejected' });
  await connection.act('WorkRequest', key, 'set-status', { statusCategory: 'pending_approval' });
  expect(await ticket(key)).toMatchObject({ Status: 'new' });
});

test('a comment is created, and found although the response does not name it', async () => {
  const input = { body: 'Delivers on Tuesdays', subject: reference('WorkOrder', await order()) };
  const position = await connection.position('Comment');
  const key = await connection.create('Comment', input, { position });
  expect(await api.texts(input.subject._idValue)).toContain('Delivers on Tuesdays');
  expect(await connection.read('Comment', key)).toMatchObject({ body: 'Delivers on Tuesdays' });
});

test('an asset is created, changed and put into operation', async () => {
  const key = await connection.create('Asset', { name: 'Pump 2', description: 'Spare' });
  await connection.update('Asset', key, { name: 'Pump 3' });
  await connection.act('Asset', key, 'set-status', { statusCategory: 'operational' });
  expect(await api.one(`/asset/${key}`)).toMatchObject({ Name: 'Pump 3', Description: 'Spare', Status: 'in-use' });
});

test('every write and action is found by the check of a connection', async () => {
  for (const { stream: name, writes, actions, entity } of Object.values(connection.platform.mappings)) {
    const acts = Object.values(actions).flatMap(({ acts: names }) => names);
    const { problems } = await connection.driver.discover.probe(connection.stream(name), { actions: acts, writes });
    expect(problems, entity).toEqual([]);
  }
});
