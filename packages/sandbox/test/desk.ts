import type { Row } from '@unified/connectors';
import { clearedInput, entityOf, type Reference } from '@unified/contract';
import { found, type Sandbox } from './sandbox.ts';

/** Writes without the service: the input is mapped and sent to the sandbox, and the record is read back. */
export function desk(sandbox: () => Sandbox) {
  const act = async (entity: string, key: string, action: string, input: Row = {}) => {
    const wanted = sandbox().mapping(entity).actions[action]?.write(input);
    if (!wanted?.act) throw new Error(`${entity} has no ${action}`);
    await sandbox().driver.actions.act(sandbox().stream(entity), key, wanted.act, wanted.values, sandbox().intent());
    return sandbox().record(entity, key);
  };
  return {
    /** Creates a record with all fields of the input; returns its key. */
    async create(entity: string, input: Row): Promise<string> {
      const { values, unsupported } = sandbox().mapping(entity).write(input, { op: 'create' });
      if (unsupported.length > 0) throw new Error(`${entity} has no columns for ${unsupported.join(', ')}`);
      return (await sandbox().driver.writes.create(sandbox().stream(entity), values, sandbox().intent())).key;
    },
    /** Replaces a record: fields that `input` does not contain are cleared. Returns the resulting record. */
    async replace(entity: string, key: string, input: Row) {
      const whole = clearedInput(found(entityOf(entity), entity), input);
      const { values } = sandbox().mapping(entity).write(whole, { op: 'replace' });
      await sandbox().driver.writes.update(sandbox().stream(entity), key, values, sandbox().intent());
      return sandbox().record(entity, key);
    },
    /** Runs an action; returns the resulting record. */
    act,
    /** Submits a draft and approves it; returns the resulting record. */
    async approve(entity: string, key: string) {
      await act(entity, key, 'submit');
      return act(entity, key, 'approve');
    },
    named: (entity: string, label: string) => sandbox().resolve({ entity, by: '_displayValue', value: label }),
    coded: (entity: string, code: string) => sandbox().resolve({ entity, by: 'code', value: code }),
  };
}

/** The record that a request refers to by its code, whether or not the system has it. */
export const meant = (entity: string, code: string) => ({ entity, code });

/** The reference that a mapping reads from a code in the row. */
export const readBy = (entity: string, code: string): Reference => ({ entity, by: 'code', value: code });
