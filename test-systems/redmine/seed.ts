import type { Fields, RedmineApi } from './api.ts';

/** Ids of what the seed created. */
export interface Plant {
  readonly project: number;
  /** Users by login: `erika` is a developer, `max` a manager. */
  readonly users: Readonly<Record<'erika' | 'max', number>>;
  /** API key of `erika`, whose role cannot set every status. */
  readonly developerKey: string;
  /** 30 issues of the three trackers in turn, then a sub-task of the first one. */
  readonly issues: readonly number[];
}

const ISSUES = 30;

/** Fills a new Redmine with a plant: users, issues, comments, time, a version and a file. */
export async function seed(api: RedmineApi): Promise<Plant> {
  const project = await api.create('project', '/projects.json', {
    name: 'Plant 1',
    identifier: 'plant-1',
    description: 'Bottling',
    tracker_ids: [1, 2, 3],
    enabled_module_names: ['issue_tracking', 'time_tracking'],
  });
  const erika = await member(api, project, { login: 'erika', firstname: 'Erika', lastname: 'Technician' }, 4);
  const max = await member(api, project, { login: 'max', firstname: 'Max', lastname: 'Planner' }, 3);
  const { id: version } = await api.create('version', `/projects/${project.id}/versions.json`, {
    name: 'Shutdown Q4',
    due_date: '2026-12-31',
  });
  const issues: number[] = [];
  const add = async (values: Fields) => {
    const { id } = await api.create('issue', '/issues.json', { project_id: project.id, ...values });
    issues.push(Number(id));
  };
  for (let number = 1; number <= ISSUES; number += 1) {
    await add({
      subject: `Work order ${number}`,
      description: `Inspect unit ${number}`,
      tracker_id: 1 + ((number + 1) % 3),
      priority_id: 1 + (number % 5),
      fixed_version_id: version,
      assigned_to_id: number % 2 === 0 ? erika.id : max.id,
      start_date: '2026-11-01',
      due_date: '2026-12-15',
      estimated_hours: 1.5,
    });
  }
  await add({ subject: 'Sub-task', tracker_id: 1, parent_issue_id: issues[0] });
  await activity(api, issues);
  return {
    project: Number(project.id),
    users: { erika: Number(erika.id), max: Number(max.id) },
    developerKey: String(erika.api_key),
    issues,
  };
}

async function member(api: RedmineApi, project: Fields, person: Fields, role: number): Promise<Fields> {
  const user = await api.create('user', '/users.json', {
    ...person,
    mail: `${person.login}@plant.example`,
    password: 'secret-1234',
  });
  const path = `/projects/${project.id}/memberships.json`;
  await api.create('membership', path, { user_id: user.id, role_ids: [role] });
  return user;
}

/** The second issue is in progress, with a comment, a file and time; the third one is closed. */
async function activity(api: RedmineApi, [, second, third]: readonly number[]): Promise<void> {
  const { token } = (await api.call('POST', '/uploads.json?filename=report.txt', 'measured 3.2 bar\n'))
    .upload as Fields;
  const uploads = [{ token, filename: 'report.txt', content_type: 'text/plain' }];
  await api.change('issue', `/issues/${second}.json`, { status_id: 2, notes: 'Started', uploads });
  await api.change('issue', `/issues/${third}.json`, { status_id: 5 });
  await api.create('time_entry', '/time_entries.json', {
    issue_id: second,
    hours: 1.25,
    activity_id: 9,
    spent_on: '2026-11-20',
    comments: 'On site',
  });
}
