import type { Row } from '@unified/connectors';
import { find, type Scope } from '@unified/store';

/** A record as it is answered; undefined where this service has none of this id. */
export async function storedRecord(scope: Scope, entityName: string, id: string | null): Promise<Row | undefined> {
  const entity = scope.entities[entityName];
  const doc = entity && id !== null ? await find(scope, entity, id) : undefined;
  return doc === undefined ? undefined : JSON.parse(doc);
}
