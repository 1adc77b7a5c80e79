import type { TrackerApi } from './api.ts';

/** What the seed created. */
export interface Plant {
  /** Id of the queue `Maintenance`. */
  readonly queue: string;
  readonly asset: string;
  /** 6 tickets of the queue `Maintenance`. The second one has a comment, a file and time; the third one is resolved. */
  readonly orders: readonly string[];
  /** A ticket of the queue `General`. */
  readonly request: string;
}

const ORDERS = 6;

/** Fills a new Request Tracker with a plant: users, an asset, tickets, comments, time and a file. */
export async function seed(api: TrackerApi): Promise<Plant> {
  const queue = await api.create('/queue', { Name: 'Maintenance', Description: 'Bottling' });
  await person(api, 'erika', 'Erika Technician');
  await person(api, 'max', 'Max Planner');
  await api.create('/group', { Name: 'Mechanics', Description: 'Early shift' });
  const catalog = await api.create('/catalog', { Name: 'Equipment' });
  const asset = await api.create('/asset', { Name: 'Pump 1', Description: 'Feeds the filler', Catalog: catalog });
  const orders: string[] = [];
  for (let number = 1; number <= ORDERS; number += 1) {
    orders.push(
      await api.create('/ticket', {
        Queue: queue,
        Subject: `Work order ${number}`,
        Content: `Inspect unit ${number}`,
        ContentType: 'text/plain',
        Priority: 25 * (number % 5),
        Due: '2026-12-15 10:00:00',
        Requestor: 'erika@plant.example',
      }),
    );
  }
  const request = await api.create('/ticket', { Queue: 'General', Subject: 'Conveyor squeaks' });
  const [, second, third] = orders;
  const file = Buffer.from('measured 3.2 bar\n').toString('base64');
  await api.call('POST', `/ticket/${second}/comment`, {
    Content: 'Started',
    ContentType: 'text/plain',
    TimeTaken: 75,
    Attachments: [{ FileName: 'report.txt', FileType: 'text/plain', FileContent: file }],
  });
  await api.change(`/ticket/${third}`, { Status: 'resolved' });
  return { queue, asset, orders, request };
}

async function person(api: TrackerApi, name: string, realName: string): Promise<void> {
  await api.create('/user', { Name: name, RealName: realName, EmailAddress: `${name}@plant.example`, Privileged: 1 });
}
