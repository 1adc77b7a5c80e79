import { checkVersion, find, saveSteps } from '@unified/store';
import { storeRows } from '../records/store-rows.ts';
import { fenced, type HeldQueue, type OpenWrite } from './open-write.ts';
import { mappingFor } from './prepare-write.ts';
import { beginStep, endStep } from './write-steps.ts';

/**
 * Reads and stores the row of a write with `If-Match` just before the write is sent. A write that was ahead in the queue, or a
 * user of the connected system, may have changed the row since the request was accepted. Throws `SERVICE_PRECONDITION_FAILED`.
 */
export async function checkUnchanged(queue: HeldQueue, write: OpenWrite): Promise<void> {
  const { writeId, entity: name, targetId, targetKey: key, ifMatch, steps } = write;
  const entity = queue.scope.entities[name];
  if (ifMatch === null || entity === undefined || targetId === null || key === null) return;
  const { stream } = mappingFor(queue.model, write);
  const step = beginStep(steps, { kind: 'read', entity: name, vendorObject: stream.name, vendorId: key });
  const row = await queue.quota.run('write', () => queue.driver.read(stream, key));
  endStep(step, 'succeeded');
  const observed = { rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] };
  await fenced(queue, write, async (scope) => {
    await storeRows(scope, queue.model, stream, observed);
    return saveSteps(scope, writeId, steps);
  });
  checkVersion(name, await find(queue.scope, entity, targetId), ifMatch);
}
