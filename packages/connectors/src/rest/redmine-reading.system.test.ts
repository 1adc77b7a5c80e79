import { describe, expect, test } from 'vitest';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { RedmineConnection, redmineOfFile } from '../../test/running-redmine.ts';

const { redmine, connection } = await redmineOfFile();
const { api, plant } = redmine;
const [first = 0, second = 0, third = 0] = plant.issues;

const keys = async (name: string, options = {}) => (await connection.pullAll(name, options)).map(({ key }) => key);

describe('a full pass', () => {
  test.each([3, 100])('reads open and closed issues once, in pages of %i', async (limit) => {
    expect(await keys('issues', { limit })).toEqual((await api.issueIds()).map(String));
  });

  test('reads every stream, and each row of it in every mapping without a problem', () =>
    expectEveryStreamToBeMapped(connection));

  test('never reads API keys', async () => {
    const rows = [
      ...(await connection.pullAll('users')),
      await connection.driver.read(connection.stream('users'), '1'),
    ];
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${redmine.key}|${plant.developerKey}|api_key`));
  });

  test('finds that issues and projects were deleted', async () => {
    const project = await api.create('project', '/projects.json', { name: 'Short-lived', identifier: 'short-lived' });
    const { id } = await api.create('issue', '/issues.json', { project_id: plant.project, subject: 'Short-lived' });
    expect(await keys('issues')).toContain(String(id));
    expect(await keys('projects')).toContain(String(project.id));
    await api.call('DELETE', `/issues/${id}.json`);
    await api.call('DELETE', `/projects/${project.id}.json`);
    expect(await keys('issues')).not.toContain(String(id));
    expect(await keys('projects')).not.toContain(String(project.id));
    expect(await connection.driver.read(connection.stream('issues'), String(id))).toBeNull();
  });

  test('reads closed projects and locked users, the newest last', async () => {
    const project = await api.create('project', '/projects.json', { name: 'Done', identifier: 'done' });
    await api.call('PUT', `/projects/${project.id}/close.json`);
    const person = { login: 'gone', firstname: 'Gone', lastname: 'Person', mail: 'gone@plant.example' };
    const user = await api.create('user', '/users.json', { ...person, password: 'secret-1234' });
    await api.change('user', `/users/${user.id}.json`, { status: 3 });
    // The newest come last: in the order of names, a rename during a pass would move rows between pages.
    expect((await keys('projects')).at(-1)).toBe(String(project.id));
    expect((await keys('users')).at(-1)).toBe(String(user.id));
    expect(await connection.read('Project', Number(project.id))).toMatchObject({ statusCategory: 'completed' });
    expect(await connection.read('Site', Number(project.id))).toMatchObject({ isActive: false });
    expect(await connection.read('Employee', Number(user.id))).toMatchObject({ name: 'Gone Person', isActive: false });
  });
});

test('an incremental pass reads exactly the issues that changed, and their comments and files', async () => {
  const exact = new RedmineConnection(redmine, { overlapSeconds: 0 });
  const mark = async () => exact.driver.changes.mark(exact.stream('issues'));
  // Changes of the seed are older than the next second of the server.
  const before = await mark();
  await expect.poll(mark).not.toBe(before);
  const since = await mark();
  await api.change('issue', `/issues/${third}.json`, { subject: 'Renamed' });
  await api.change('issue', `/issues/${second}.json`, { notes: 'Still at it' });
  const read = async (name: string) => (await exact.pullAll(name, { since })).map(({ key }) => key);
  expect(await read('issues')).toEqual([String(second), String(third)]);
  const comments = (await exact.pullAll('journals', { since })).filter(({ row }) => row.notes !== '');
  expect(comments.map(({ row }) => [row.issue, row.notes])).toEqual([
    [String(second), 'Started'],
    [String(second), 'Still at it'],
  ]);
  expect(await read('attachments')).toEqual([`${second}/1`]);
  await exact.driver.close();
});

describe('the entities of the platform', () => {
  test('are read with their references', async () => {
    const { erika, max } = plant.users;
    expect(await connection.read('WorkOrder', second)).toMatchObject({
      description: 'Inspect unit 2',
      priority: 'High',
      priorityLevel: 3,
      project: { entity: 'Project', value: String(plant.project) },
      dueAt: '2026-12-15T00:00:00.000Z',
    });
    const orders = await connection.pullAll('issues');
    const requests = orders.filter((row) => connection.mapping('WorkRequest').read(row));
    expect(requests).toHaveLength(10);
    expect(orders.filter((row) => connection.mapping('WorkOrder').read(row))).toHaveLength(orders.length - 10);
    expect(await connection.read('Employee', erika)).toMatchObject({ name: 'Erika Technician', isActive: true });
    expect(await connection.read('User', max)).toMatchObject({ username: 'max', employee: { value: String(max) } });
    expect(await connection.read('Site', plant.project)).toMatchObject({ code: 'plant-1', name: 'Plant 1' });
    expect(await connection.read('Status', 5)).toMatchObject({ name: 'Closed', isFinal: true });
    expect(await connection.read('Taxonomy', 3)).toMatchObject({ name: 'Support', kind: 'workType' });
    expect(await connection.read('WorkOrder', plant.issues.at(-1) ?? 0)).toMatchObject({ name: 'Sub-task' });
    expect(await connection.read('WorkOrder', first)).toBeNull();
  });

  test('include time, comments and files of issues', async () => {
    const [time] = await connection.pullAll('time_entries');
    expect(await connection.read('OrderResource', time?.key ?? '')).toMatchObject({
      kind: 'labor',
      actualHours: 1.25,
      order: { entity: 'WorkOrder', value: String(second) },
    });
    const comment = (await connection.pullAll('journals')).find(({ row }) => row.notes === 'Started');
    const subject = { entity: 'WorkOrder', value: String(second) };
    expect(await connection.read('Comment', comment?.key ?? '')).toMatchObject({ body: 'Started' });
    expect(await connection.read('Attachment', `${second}/1`)).toMatchObject({
      name: 'report.txt',
      sizeBytes: 17,
      subject,
    });
    expect(await connection.read('Attachment', `${second}/9`)).toBeNull();
  });
});

test('a wrong key is refused, and for a user who is not an administrator, the missing right is named', async () => {
  const { url } = redmine;
  const wrong = new RedmineConnection({ url, key: 'f'.repeat(40) });
  await expect(wrong.driver.check()).rejects.toMatchObject({ kind: 'unauthorized' });
  const developer = new RedmineConnection({ url, key: plant.developerKey });
  await expect(developer.pullAll('users')).rejects.toMatchObject({ kind: 'forbidden' });
  await Promise.all([wrong.driver.close(), developer.driver.close()]);
});

test('every stream is found by the check of a connection', async () => {
  for (const stream of connection.platform.streams) {
    const { sample, problems } = await connection.driver.discover.probe(stream, { actions: [], writes: new Set() });
    expect(sample, stream.name).not.toBeNull();
    expect(problems).toEqual([]);
  }
});
