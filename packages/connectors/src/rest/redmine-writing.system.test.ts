import { describe, expect, onTestFinished, test } from 'vitest';
import { httpServer } from '../../test/http-server.ts';
import { reference } from '../../test/rest-connection.ts';
import { RedmineConnection, redmineOfFile } from '../../test/running-redmine.ts';
import type { Row } from '../driver.ts';

const { redmine, connection } = await redmineOfFile();
const { api, plant } = redmine;
const { erika, max } = plant.users;
const project = reference('Project', plant.project);
const site = reference('Site', plant.project);

const issue = (key: string, include = 'journals') => api.one('issue', `/issues/${key}.json?include=${include}`);
const notes = async (key: string) => ((await issue(key)).journals as Row[]).map((journal) => journal.notes);
const order = (values: Row = {}) => connection.create('WorkOrder', { name: 'Replace bearing', project, ...values });

describe('a work order', () => {
  const values = {
    name: 'Replace bearing',
    description: 'Squeaks\nloudly',
    priorityLevel: 2,
    workType: reference('Taxonomy', 2),
    project,
    parent: reference('WorkOrder', plant.issues[1] ?? 0),
    assignedTo: reference('Employee', max),
    scheduledStartAt: '2026-11-20T00:00:00Z',
    dueAt: '2026-11-21T16:00:00Z',
  };

  test('that is created is in Redmine with every field, and is found if the response is lost', async () => {
    const position = await connection.position('WorkOrder');
    expect(await connection.findCreated('WorkOrder', values, position)).toBeUndefined();
    const key = await connection.create('WorkOrder', values);
    expect(await issue(key)).toMatchObject({
      subject: 'Replace bearing',
      priority: { name: 'Urgent' },
      tracker: { id: 2 },
      project: { id: plant.project },
      parent: { id: plant.issues[1] },
      assigned_to: { id: max },
      start_date: '2026-11-20',
      due_date: '2026-11-21',
    });
    expect(await connection.findCreated('WorkOrder', values, position)).toBe(key);
    expect(Object.keys(values).sort()).toEqual(
      [...connection.mapping('WorkOrder').writable].filter((name) => name !== 'site').sort(),
    );
  });

  test('that is changed has the new values, and loses those that are cleared', async () => {
    const key = await connection.create('WorkOrder', values);
    await connection.update('WorkOrder', key, { name: 'Renamed', priorityLevel: 5, dueAt: '2026-12-01T00:00:00Z' });
    expect(await issue(key)).toMatchObject({ subject: 'Renamed', priority: { name: 'Low' }, due_date: '2026-12-01' });
    await connection.update('WorkOrder', key, { description: null, assignedTo: null, dueAt: null, parent: null });
    const cleared = await issue(key);
    expect([cleared.description, cleared.assigned_to, cleared.due_date, cleared.parent].filter(Boolean)).toEqual([]);
    expect(cleared.start_date).toBe('2026-11-20');
  });

  test('that is deleted is gone, and cannot be changed', async () => {
    const key = await order();
    await connection.remove('WorkOrder', key);
    await connection.remove('WorkOrder', key);
    await expect(issue(key)).rejects.toMatchObject({ status: 404 });
    await expect(connection.update('WorkOrder', key, { name: 'x' })).rejects.toMatchObject({ kind: 'gone' });
  });

  test('that Redmine refuses is rejected with its message', async () => {
    const creating = connection.create('WorkOrder', { name: 'Nowhere' });
    await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining('Project') });
  });

  test('has the status of every action, and its notes', async () => {
    const done = new Set<string>();
    const act = async (key: string, action: string, input: Row, after: Row, note: string) => {
      done.add(action);
      await connection.act('WorkOrder', key, action, input);
      expect(await issue(key), action).toMatchObject(after);
      expect((await notes(key)).at(-1), action).toBe(note);
    };
    const status = (name: string) => ({ status: { name } });
    const key = await order();
    const assignedTo = reference('Employee', erika);
    await act(key, 'assign', { assignedTo, note: 'Has the key' }, { assigned_to: { id: erika } }, 'Has the key');
    await act(key, 'start', {}, status('In Progress'), '');
    await act(key, 'hold', { note: 'No bearing' }, status('Feedback'), 'No bearing');
    await act(key, 'resume', {}, status('In Progress'), '');
    await act(key, 'complete', { completionNotes: 'Replaced', note: 'Clean' }, status('Resolved'), 'Replaced\nClean');
    await act(key, 'close', {}, status('Closed'), '');
    await act(key, 'set-status', { statusCategory: 'open', note: 'Again' }, status('New'), 'Again');
    await act(key, 'set-status', { status: reference('Status', 2) }, status('In Progress'), '');
    const reason = { ...reference('Taxonomy', 1), _displayValue: 'Duplicate' };
    await act(key, 'cancel', { reason, note: 'See 7' }, status('Rejected'), 'Duplicate: See 7');
    expect([...done].sort()).toEqual(Object.keys(connection.mapping('WorkOrder').actions).sort());
    await expect(connection.act('WorkOrder', key, 'set-status', { statusCategory: 'draft' })).rejects.toThrow('has no');
  });
});

describe('a user with fewer rights', () => {
  const developer = () => new RedmineConnection({ url: redmine.url, key: plant.developerKey });

  test('gets the names of the statuses that can be set, and nothing is changed', async () => {
    const [key, limited] = [await order(), developer()];
    const cancelling = limited.act('WorkOrder', key, 'cancel', { reason: reference('Taxonomy', 1) });
    await expect(cancelling).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^"Rejected" cannot be chosen for status_id. These can be chosen now: New, /),
    });
    expect(await issue(key)).toMatchObject({ status: { name: 'New' }, journals: [] });
    await limited.driver.close();
  });

  test('gets the name of the value that Redmine ignored', async () => {
    const other = await api.create('project', '/projects.json', {
      name: 'Plant 2',
      identifier: 'plant-2',
      is_public: false,
    });
    const [key, limited] = [await order(), developer()];
    const moving = limited.update('WorkOrder', key, { project: reference('Project', Number(other.id)) });
    await expect(moving).rejects.toMatchObject({ kind: 'rejected', columns: ['project_id'] });
    expect(await issue(key)).toMatchObject({ project: { id: plant.project } });
    await limited.driver.close();
  });
});

test('a work request is created in the name of its requester, approved and rejected', async () => {
  const input = {
    name: 'Conveyor squeaks',
    description: 'Since Monday',
    priorityLevel: 1,
    site,
    workType: reference('Taxonomy', 3),
    requestedBy: reference('Employee', erika, 'erika'),
    assignedTo: reference('Employee', max),
    dueAt: '2026-11-30T00:00:00Z',
    estimatedHours: 2.5,
  };
  expect(Object.keys(input).sort()).toEqual([...connection.mapping('WorkRequest').writable].sort());
  const key = await connection.create('WorkRequest', input);
  expect(await issue(key)).toMatchObject({
    author: { id: erika },
    tracker: { name: 'Support' },
    assigned_to: { id: max },
    estimated_hours: 2.5,
  });
  const { name, requestedBy } = input;
  const other = await connection.create('WorkRequest', { name, requestedBy, site });
  expect(await issue(other)).toMatchObject({ tracker: { name: 'Support' }, author: { id: erika } });
  await connection.act('WorkRequest', key, 'approve', { note: 'Before the weekend' });
  expect(await issue(key)).toMatchObject({ status: { name: 'In Progress' } });
  expect((await notes(key)).at(-1)).toBe('Before the weekend');
  const reason = { ...reference('Taxonomy', 1), _displayValue: 'No fault' };
  await connection.act('WorkRequest', other, 'reject', { reason });
  expect(await issue(other)).toMatchObject({ status: { name: 'Rejected' } });
  expect(Object.keys(connection.mapping('WorkRequest').actions)).toEqual(['approve', 'reject']);
});

test('comments of orders and requests are created, and found without a key in the response', async () => {
  const request = await api.create('issue', '/issues.json', { project_id: plant.project, subject: 'x', tracker_id: 3 });
  const subjects = [reference('WorkOrder', await order()), reference('WorkRequest', Number(request.id))];
  for (const subject of subjects) {
    const position = await connection.position('Comment');
    const input = { body: 'Delivers on Tuesdays', isInternal: true, subject };
    expect(await connection.findCreated('Comment', input, position)).toBeUndefined();
    const key = await connection.create('Comment', input, { position });
    expect(key).toMatch(new RegExp(`^${subject._idValue}/\\d+$`));
    expect((await issue(subject._idValue)).journals).toMatchObject([
      { notes: 'Delivers on Tuesdays', private_notes: true },
    ]);
    expect(await connection.findCreated('Comment', input, position)).toBe(key);
    expect(await connection.read('Comment', key)).toMatchObject({ body: 'Delivers on Tuesdays', isInternal: true });
  }
});

describe('a create whose response a proxy loses', () => {
  /** Passes calls on to Redmine, with a clock that is an hour ahead, and loses the responses to changes. */
  const losing = async () => {
    const url = await httpServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = 'GET', url: path } = request;
      const headers = { 'content-type': 'application/json', 'x-redmine-api-key': redmine.key };
      const passed = await fetch(`${redmine.url}${path}`, { method, headers, ...(body !== '' && { body }) });
      if (method !== 'GET') return response.destroy();
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      response.writeHead(passed.status, { 'content-type': 'application/json', date }).end(await passed.text());
    });
    const through = new RedmineConnection({ url: url.href, key: redmine.key });
    onTestFinished(() => through.driver.close());
    return through;
  };

  test('is found by its key, although the clock of the proxy is ahead and an older comment has the same text', async () => {
    const [through, subject] = [await losing(), reference('WorkOrder', await order())];
    const input = { body: 'Done', isInternal: false, subject };
    const older = await connection.create('Comment', input, { writeId: '0198-older' });
    const intent = { position: await through.position('Comment') };
    await expect(through.create('Comment', input, intent)).rejects.toMatchObject({ kind: 'unknown' });
    const found = await through.findCreated('Comment', input, null);
    expect(found).toMatch(new RegExp(`^${subject._idValue}/\\d+$`));
    expect(found).not.toBe(older);
    expect(await notes(subject._idValue)).toEqual(['Done', 'Done']);
    const restarted = await losing();
    await expect(restarted.findCreated('Comment', input, null)).rejects.toMatchObject({ kind: 'unconfirmed' });
  });

  test('is uncertain if Redmine has values other than those that were sent', async () => {
    const through = await losing();
    const position = await through.position('WorkOrder');
    const input = { name: 'Grease the chain', priorityLevel: 2, project };
    await expect(through.create('WorkOrder', input)).rejects.toMatchObject({ kind: 'unknown' });
    const key = await through.findCreated('WorkOrder', input, position);
    await api.change('issue', `/issues/${key}.json`, { priority_id: 3 });
    const finding = through.findCreated('WorkOrder', input, position);
    await expect(finding).rejects.toMatchObject({ kind: 'unconfirmed', words: expect.stringContaining(`${key}`) });
    expect(await through.findCreated('WorkOrder', { ...input, name: 'Oil the chain' }, position)).toBeUndefined();
  });
});

test('a work request of a requester that Redmine does not know is rejected, not a conflict', async () => {
  const requestedBy = reference('Employee', 99_999, 'nobody');
  const creating = connection.create('WorkRequest', { name: 'Unknown requester', requestedBy, site });
  await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining('412') });
});

test('time is recorded for a user, and changed', async () => {
  const key = await order();
  const input = {
    kind: 'labor',
    description: 'On site',
    order: reference('WorkOrder', key),
    employee: reference('Employee', max),
    actualHours: 1.25,
    startedAt: '2026-11-20T06:10:00Z',
  };
  expect(Object.keys(input).sort()).toEqual([...connection.mapping('OrderResource').writable].sort());
  const position = await connection.position('OrderResource');
  const entry = await connection.create('OrderResource', input);
  const read = () => api.one('time_entry', `/time_entries/${entry}.json`);
  expect(await read()).toMatchObject({ issue: { id: Number(key) }, user: { id: max }, activity: { id: 9 } });
  expect(await connection.findCreated('OrderResource', input, position)).toBe(entry);
  await connection.update('OrderResource', entry, { actualHours: 3, description: 'Twice' });
  expect(await read()).toMatchObject({ hours: 3, comments: 'Twice', spent_on: '2026-11-20' });
});

test('every write and action is found by the check of a connection', async () => {
  for (const { stream: name, writes, actions, entity } of Object.values(connection.platform.mappings)) {
    const acts = Object.values(actions).flatMap(({ acts: names }) => names);
    const { problems } = await connection.driver.discover.probe(connection.stream(name), { actions: acts, writes });
    expect(problems, entity).toEqual([]);
  }
});
