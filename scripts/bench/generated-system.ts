import {
  compileMapping,
  type Driver,
  type Json,
  type Platform,
  type PullRequest,
  type Row,
  type Stream,
} from '@unified/connectors';
import { entities } from '@unified/contract';
import type { Systems } from '@unified/engine';

/** A connected system in the memory of this process, with almost no overhead, so that only the service is measured. */
export interface GeneratedSystem extends Systems {
  /** Rows of the large stream. */
  size: number;
  /** Rows of the small one. */
  readonly places: number;
  /** Part of every row, so that rows of different generations differ. */
  generation: number;
}

const PLACES = 200;
const PAGE = 1000;

const mappings = {
  Location: compileMapping(
    { entity: 'Location', stream: 'place', fields: { code: 'code', name: 'name' } },
    { file: 'place', entity: entities.Location },
  ),
  WorkOrder: compileMapping(
    {
      entity: 'WorkOrder',
      stream: 'job',
      created: { datetime: 'reported' },
      updated: { datetime: 'changed' },
      writes: ['create', 'update'],
      fields: {
        code: 'code',
        name: 'title',
        description: 'text',
        instructions: 'text',
        statusCategory: {
          read: {
            lookup: { from: 'state', table: { o: 'open', p: 'in_progress', c: 'completed' }, otherwise: 'open' },
          },
        },
        priority: 'prio_text',
        priorityLevel: { number: 'prio' },
        isAssetDown: { boolean: { from: 'down', true: ['Y'], false: ['N'] } },
        requiresSignature: { boolean: { from: 'sign', true: ['Y'], false: ['N'] } },
        estimatedDurationMinutes: { number: 'minutes' },
        estimatedCost: { number: 'cost' },
        reportedAt: { datetime: 'reported' },
        scheduledStartAt: { datetime: 'starts' },
        scheduledEndAt: { datetime: 'ends' },
        dueAt: { datetime: 'due' },
        completionNotes: 'done_text',
        notes: 'text',
        location: { ref: { entity: 'Location', by: '_idValue', value: 'place' } },
        storeroom: { ref: { entity: 'Location', by: '_idValue', value: 'store' } },
      },
    },
    { file: 'job', entity: entities.WorkOrder },
  ),
};

const stream = (name: string, order: number): Stream => ({
  name,
  key: ['id'],
  order,
  cursor: 'changed',
  deletes: 'diff',
  pageSize: PAGE,
  options: {},
});

const platform: Platform = {
  id: 'generated',
  name: 'Generated system',
  description: 'Rows generated in memory.',
  driver: 'generated',
  settings: {},
  secrets: [],
  streams: [stream('place', 1), stream('job', 2)],
  mappings,
  options: {},
  broken: [],
};

/** Creates the system with this number of rows in its large stream, and in its small one. */
export function generatedSystem(size: number, places = PLACES): GeneratedSystem {
  const system: GeneratedSystem = {
    size,
    places,
    generation: 1,
    platformOf: () => platform,
    openDriver: () => driverOf(system),
  };
  return system;
}

function driverOf(system: GeneratedSystem): Driver {
  const created = new Map<string, Row>();
  const changedAt = () => new Date(Date.UTC(2026, 10, 1) + system.generation * 1000).toISOString();
  const pull = async ({ stream: { name }, from, limit }: PullRequest) => {
    const start = typeof from === 'number' ? from : 0;
    const end = Math.min(start + limit, name === 'place' ? system.places : system.size);
    const changed = changedAt();
    const rows = Array.from({ length: end - start }, (_, index) => {
      const number = start + index;
      const row = name === 'place' ? place(number) : job(number, system, changed);
      return { key: String(row.id), row };
    });
    return { rows, next: end < (name === 'place' ? system.places : system.size) ? end : null };
  };
  return {
    check: async () => {},
    pull,
    changes: { mark: async () => system.generation, pull },
    read: async (_stream, key) => created.get(key) ?? null,
    writes: {
      positionBeforeCreate: async () => null as Json,
      async create(_stream, values, { writeId }) {
        created.set(writeId, {
          ...job(1, system, changedAt()),
          ...values,
          id: writeId,
          changed: new Date().toISOString(),
        });
        return { key: writeId };
      },
      findCreated: async (_stream, _values, { writeId }) => (created.has(writeId) ? { key: writeId } : null),
      async update(_stream, key, values) {
        created.set(key, { ...created.get(key), ...values });
      },
      remove: async () => {},
    },
    close: async () => {},
  };
}

function place(number: number): Row {
  return { id: String(number), code: `L-${number}`, name: `Place ${number}` };
}

/** Formatted once: formatting times would take as long as the rest of a row. */
const days = Array.from({ length: 300 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day, 8)).toISOString());

function job(number: number, { generation, places }: GeneratedSystem, changed: string): Row {
  const day = days[number % days.length];
  return {
    id: String(number),
    code: `WO-${number}`,
    title: `Replace bearing of conveyor ${number % 97}, generation ${generation}`,
    text: 'Isolate the drive, remove the guard, replace the bearing and the seal, align, test run, hand over.',
    state: 'opc'[number % 3],
    prio_text: 'Normal',
    prio: 1 + (number % 5),
    down: number % 7 === 0 ? 'Y' : 'N',
    sign: number % 2 === 0 ? 'Y' : 'N',
    minutes: 30 + (number % 200),
    cost: `${100 + (number % 900)}.50`,
    reported: day,
    starts: day,
    ends: day,
    due: day,
    done_text: null,
    place: String(number % places),
    store: String((number * 7) % places),
    changed,
  };
}
