import { expect } from 'vitest';
import type { Fields, Rpc } from '../../../../test-systems/tryton/rpc.ts';
import type { Effect, Recipe } from '../write-recipe.ts';

/** Databases without booleans return 0 and 1. */
export const yes = expect.toBeOneOf([1, true]);
export const no = expect.toBeOneOf([0, false]);

/** An exact number, without regard to the zeros at its end. */
export function amount(text: string): unknown {
  const zeros = text.includes('.') ? '0*' : '(\\.0*)?';
  return expect.objectContaining({ decimal: expect.stringMatching(`^${text.replace('.', '\\.')}${zeros}$`) });
}

export function date(year: number, month: number, on: number): unknown {
  return expect.objectContaining({ year, month, day: on });
}

/** A state to which an action leads, or one of several. */
export function status(state: string | readonly string[], more: Partial<Effect> = {}): Effect {
  return { found: { state: typeof state === 'string' ? state : expect.toBeOneOf([...state]) }, ...more };
}

/** A request with a reason: Tryton has no field for it. */
export const forReason = { body: { reason: { _displayValue: 'Duplicate' } }, warned: ['reason'] };

/** A reference as requests contain it. */
export function ref(id: number, rel?: string) {
  return { _idValue: String(id), ...(rel !== undefined && { rel }) };
}

let created = 0;

/** A code that no record has. */
export function nextCode(prefix: string): string {
  created += 1;
  return `${prefix}-${created}`;
}

/** Reads the records of a model, active or not. The names of `fields` are separated by spaces. */
export function inModel(rpc: Rpc, model: string, fields: string): Pick<Recipe, 'find' | 'keys'> {
  return {
    async find(key) {
      const [row] = await everyRow(rpc, model, [['id', '=', Number(key)]], fields.split(' '));
      return row ?? null;
    },
    keys: keysIn(rpc, model),
  };
}

/** Reads the ids of all records of a model. */
export function keysIn(rpc: Rpc, model: string): NonNullable<Recipe['keys']> {
  return async () => (await everyRow(rpc, model, [], ['id'])).map(({ id }) => String(id));
}

async function everyRow(rpc: Rpc, model: string, domain: readonly Condition[], fields: string[]): Promise<Fields[]> {
  const context = { ...rpc.context, active_test: false };
  return (await rpc.raw(`model.${model}.search_read`, [domain, 0, null, null, fields, context])) as Fields[];
}

type Condition = readonly [field: string, operator: string, value: number];
