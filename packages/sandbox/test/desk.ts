import type { Row } from '@unified/connectors';
import { clearedInput, entityOf, type Reference } from '@unified/contract';
import { found, type Sandbox } from './sandbox.ts';

/** What a person does through the API, done directly: mapped out, sent, read back. */
export function desk(sandbox: () => Sandbox) {
  return {
    /** Creates a record with everything that is asked for; answers its key. */
    async create(entity: string, input: Row): Promise<string> {
      const { values, unsupported } = sandbox().mapping(entity).write(input, { op: 'create' });
      if (unsupported.length > 0) throw new Error(`${entity} has no place for ${unsupported.join(', ')}`);
      return (await sandbox().driver.writes.create(sandbox().stream(entity), values, sandbox().intent())).key;
    },
    /** Sets every field of a record, to nothing where `input` does not name it; answers it as it is then. */
    async replace(entity: string, key: string, input: Row) {
      const whole = clearedInput(found(entityOf(entity), entity), input);
      const { values } = sandbox().mapping(entity).write(whole, { op: 'replace' });
      await sandbox().driver.writes.update(sandbox().stream(entity), key, values, sandbox().intent());
      return sandbox().record(entity, key);
    },
    /** Does an action; answers the record as it is then. */
    async act(entity: string, key: string, action: string, input: Row = {}) {
      const wanted = sandbox().mapping(entity).actions[action]?.write(input);
      if (!wanted?.act) throw new Error(`${entity} has no ${action}`);
      await sandbox().driver.actions.act(sandbox().stream(entity), key, wanted.act, wanted.values, sandbox().intent());
      return sandbox().record(entity, key);
    },
    named: (entity: string, label: string) => sandbox().resolve({ entity, by: '_displayValue', value: label }),
    coded: (entity: string, code: string) => sandbox().resolve({ entity, by: 'code', value: code }),
  };
}

/** A record that a request means, by its code, whether or not the system has it. */
export const meant = (entity: string, code: string) => ({ entity, code });

/** How a mapping reads the reference to a record that the row names by its code. */
export const readBy = (entity: string, code: string): Reference => ({ entity, by: 'code', value: code });
