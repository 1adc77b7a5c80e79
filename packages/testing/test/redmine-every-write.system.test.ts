import { platformOf } from '@unified/connectors';
import { RedmineRefusal } from '../../../test-systems/redmine/api.ts';
import { type RunningRedmine, startRedmine } from '../../../test-systems/redmine/start.ts';
import { everyMappedWriteIsFound } from './every-write.ts';
import { servedSystem } from './served-system.ts';
import type { Effect, Recipes } from './write-recipe.ts';

everyMappedWriteIsFound(platformOf('redmine'), () =>
  servedSystem('redmine', async () => {
    const redmine = await startRedmine();
    const { url, key: token } = redmine;
    return { settings: { url, token }, recipes: () => recipesFor(redmine), stop: () => redmine.stop() };
  }),
);

function recipesFor({ api, plant }: RunningRedmine): Recipes {
  const employee = (id: number) => ({ _idValue: String(id), rel: 'Employee' });
  const erika = employee(plant.users.erika);
  const max = employee(plant.users.max);
  const site = { _idValue: String(plant.project) };
  const [, second = 0, , , fifth = 0] = plant.issues;
  const order = { _idValue: String(second), rel: 'WorkOrder' };
  // Reasons are taxonomies, which are trackers here.
  const reason = { _displayValue: 'Support' };
  /** An issue with its newest note. */
  const issue = async (key: string) => {
    const found = await orNull(api.one('issue', `/issues/${key}.json?include=journals`));
    const journals = (found?.journals ?? []) as { notes: string }[];
    return found && { ...found, note: journals.at(-1)?.notes };
  };
  const status = (name: string, more: Partial<Effect> = {}) => ({ found: { status: { name } }, ...more });
  const noted = (name: string, note: string, body: Record<string, string | object>, after: readonly string[] = []) => ({
    body,
    found: { status: { name }, note },
    after,
  });
  return {
    WorkOrder: {
      find: issue,
      create: () => ({
        body: {
          name: 'Replace bearing',
          description: 'Squeaks loudly',
          priorityLevel: 2,
          workType: { _displayValue: 'Feature' },
          project: site,
          parent: order,
          assignedTo: max,
          scheduledStartAt: '2026-11-20T00:00:00Z',
          dueAt: '2026-11-21T00:00:00Z',
        },
        found: {
          subject: 'Replace bearing',
          description: 'Squeaks loudly',
          priority: { name: 'Urgent' },
          tracker: { name: 'Feature' },
          project: { id: plant.project },
          parent: { id: second },
          assigned_to: { id: plant.users.max },
          start_date: '2026-11-20',
          due_date: '2026-11-21',
        },
      }),
      update: () => ({
        body: { name: 'Replace both bearings', site, dueAt: null },
        found: { subject: 'Replace both bearings', due_date: null },
        kept: { priority: { name: 'Urgent' } },
      }),
      delete: () => ({ found: null }),
      actions: {
        assign: () => ({
          body: { assignedTo: erika, note: 'Has the key' },
          found: { assigned_to: { id: plant.users.erika }, note: 'Has the key' },
        }),
        start: () => noted('In Progress', 'On my way', { note: 'On my way' }),
        hold: () => noted('Feedback', 'No bearing', { note: 'No bearing' }, ['start']),
        resume: () => noted('In Progress', 'It is here', { note: 'It is here' }, ['start', 'hold']),
        complete: () => noted('Resolved', 'Replaced\nClean', { completionNotes: 'Replaced', note: 'Clean' }, ['start']),
        close: () => status('Closed', { after: ['start', 'complete'] }),
        cancel: () => noted('Rejected', 'Support: See 7', { reason, note: 'See 7' }),
        'set-status': () => noted('Feedback', 'Later', { statusCategory: 'on_hold', note: 'Later' }),
      },
    },
    WorkRequest: {
      find: issue,
      create: () => ({
        body: {
          name: 'Conveyor squeaks',
          description: 'Since Monday',
          priorityLevel: 1,
          site,
          workType: { _displayValue: 'Support' },
          requestedBy: erika,
          assignedTo: max,
          dueAt: '2026-11-30T00:00:00Z',
          estimatedHours: 2.5,
        },
        found: {
          subject: 'Conveyor squeaks',
          description: 'Since Monday',
          priority: { name: 'Immediate' },
          project: { id: plant.project },
          tracker: { name: 'Support' },
          author: { id: plant.users.erika },
          assigned_to: { id: plant.users.max },
          due_date: '2026-11-30',
          estimated_hours: 2.5,
        },
      }),
      actions: {
        approve: () => noted('In Progress', 'Before the weekend', { note: 'Before the weekend' }),
        reject: () => noted('Rejected', 'Support: No fault', { reason, note: 'No fault' }),
      },
    },
    Comment: {
      find: async (key) => {
        const [id = '', journal = ''] = key.split('/');
        const { journals } = await api.one('issue', `/issues/${id}.json?include=journals`);
        const found = (journals as { id: number }[]).find((each) => String(each.id) === journal);
        return found ? { ...found, issue: id } : null;
      },
      create: () => ({
        body: { body: 'Delivers on Tuesdays', isInternal: true, subject: order },
        found: { issue: String(second), notes: 'Delivers on Tuesdays', private_notes: true },
      }),
    },
    OrderResource: {
      find: (key) => orNull(api.one('time_entry', `/time_entries/${key}.json`)),
      create: () => ({
        body: {
          kind: 'labor',
          description: 'On site',
          order,
          employee: max,
          actualHours: 1.25,
          startedAt: '2026-11-20T00:00:00Z',
        },
        found: {
          comments: 'On site',
          issue: { id: second },
          user: { id: plant.users.max },
          hours: 1.25,
          spent_on: '2026-11-20',
        },
      }),
      update: () => ({
        body: { actualHours: 3, order: { _idValue: String(fifth), rel: 'WorkOrder' } },
        found: { hours: 3, issue: { id: fifth } },
        kept: { comments: 'On site' },
      }),
    },
  };
}

/** Null instead of the refusal for an object that does not exist. */
async function orNull<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RedmineRefusal && error.status === 404) return null;
    throw error;
  }
}
