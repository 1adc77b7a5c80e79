import { platformOf } from '@unified/connectors';
import { type RunningTracker, startTracker } from '../../../test-systems/request-tracker/start.ts';
import { everyMappedWriteIsFound } from './every-write.ts';
import { servedSystem } from './served-system.ts';
import type { Effect, Recipes } from './write-recipe.ts';

everyMappedWriteIsFound(platformOf('request-tracker'), () =>
  servedSystem('request-tracker', async () => {
    const tracker = await startTracker();
    const { url, token } = tracker;
    return { settings: { url, token }, recipes: () => recipesFor(tracker), stop: () => tracker.stop() };
  }),
);

function recipesFor({ api, plant }: RunningTracker): Recipes {
  const ticket = (key: string) => api.one(`/ticket/${key}`);
  const status = (Status: string, more: Partial<Effect> = {}) => ({ found: { Status }, ...more });
  const erika = { _idValue: 'erika', rel: 'Employee' };
  const max = { _idValue: 'max', rel: 'Employee' };
  const reason = { _displayValue: 'Duplicate' }; // not a team
  const order = { name: 'Replace bearing', site: { _idValue: plant.queue } };
  const due = { dueAt: '2026-12-21T16:00:00Z' };
  return {
    WorkOrder: {
      find: ticket,
      create: () => ({
        body: {
          ...order,
          ...due,
          priorityLevel: 2,
          assignedTo: max,
          estimatedDurationMinutes: 90,
          scheduledStartAt: '2026-12-20T06:00:00Z',
        },
        found: {
          Subject: 'Replace bearing',
          Queue: { id: plant.queue },
          Priority: '75',
          Owner: { id: 'max' },
          TimeEstimated: '90',
          Starts: '2026-12-20T06:00:00Z',
          Due: '2026-12-21T16:00:00Z',
        },
      }),
      update: () => ({
        body: { name: 'Replace both bearings', dueAt: null },
        found: { Subject: 'Replace both bearings', Due: '1970-01-01T00:00:00Z' },
        kept: { Priority: '75' },
      }),
      delete: () => status('deleted'),
      actions: {
        assign: () => ({ body: { assignedTo: erika }, found: { Owner: { id: 'erika' } } }),
        start: () => status('open'),
        hold: () => status('stalled', { after: ['start'] }),
        resume: () => status('open', { after: ['start', 'hold'] }),
        complete: () => status('resolved', { after: ['start'] }),
        cancel: () => status('rejected', { body: { reason }, warned: ['reason'] }),
        'set-status': () => status('stalled', { body: { statusCategory: 'on_hold' } }),
      },
    },
    WorkRequest: {
      find: ticket,
      create: () => ({
        body: { ...due, name: 'Conveyor squeaks', priorityLevel: 1, requestedBy: erika, assignedTo: max },
        found: {
          Subject: 'Conveyor squeaks',
          Queue: { id: '1' },
          Priority: '100',
          Requestor: [{ id: 'erika' }],
          Owner: { id: 'max' },
          Due: '2026-12-21T16:00:00Z',
        },
      }),
      replace: () => ({
        body: { name: 'Conveyor stopped', priorityLevel: 3, requestedBy: max },
        warned: ['priority'], // a text that follows from the level
        found: {
          Subject: 'Conveyor stopped',
          Priority: '50',
          Requestor: [{ id: 'max' }],
          Owner: { id: 'Nobody' },
          Due: '1970-01-01T00:00:00Z',
        },
        kept: { Queue: { id: '1' } },
      }),
      actions: {
        approve: () => status('open'),
        reject: () => status('rejected', { body: { reason }, warned: ['reason'] }),
        'set-status': () => status('rejected', { body: { statusCategory: 'rejected' } }),
      },
    },
    Comment: {
      find: async (key) => {
        const [id = '', attachment = ''] = key.split('/');
        const { Content } = await api.one(`/attachment/${attachment}`);
        return { ticket: id, text: Buffer.from(String(Content), 'base64').toString() };
      },
      create: () => {
        const [first = ''] = plant.orders;
        return {
          body: { body: 'Delivers on Tuesdays', subject: { _idValue: first, rel: 'WorkOrder' } },
          found: { ticket: first, text: 'Delivers on Tuesdays' },
        };
      },
    },
    Asset: {
      find: (key) => api.one(`/asset/${key}`),
      create: () => ({
        body: { name: 'Pump 2', description: 'Spare' },
        found: { Name: 'Pump 2', Description: 'Spare', Status: 'new' },
      }),
      update: () => ({ body: { name: 'Pump 3' }, found: { Name: 'Pump 3' }, kept: { Description: 'Spare' } }),
      actions: { 'set-status': () => status('in-use', { body: { statusCategory: 'operational' } }) },
    },
  };
}
