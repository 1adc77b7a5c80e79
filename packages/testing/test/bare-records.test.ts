import { type Entity, entities } from '@unified/contract';
import { saveRecords } from '@unified/store';
import { api, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let app: TestApi;
beforeAll(async () => {
  app = await api();
}, 300_000);
afterAll(() => app.stop());

interface Listed {
  readonly data: readonly Record<string, unknown>[];
}

const bare = (entity: Entity) =>
  saveRecords(app.connection.scope, entity, [
    { _source: 'bare', _idValue: `${entity.name} 1`, values: { _displayValue: 'Bare' }, references: {} },
  ]);
const stored = Object.values(entities).filter(({ view }) => view === undefined);

test.each(stored.map((entity) => [entity.name, entity] as const))(
  'a %s without any values in the connected system is returned as the document describes it',
  async (_, entity) => {
    await bare(entity);
    const { status, body } = await app.fetch<Listed>(`/v4/${entity.collection}`);
    expect([status, body.data.length]).toEqual([200, 1]);
  },
);

describe('a unit whose system does not record whether it is active', () => {
  const names = async (filter: string) =>
    (await app.fetch<Listed>(`/v4/units?${filter}`)).body.data.map(({ code }) => code).sort();

  beforeAll(async () => {
    const unit = (code: string, isActive: boolean | null) => ({
      ...{ _source: 'units', _idValue: code, references: {} },
      values: { code, ...(isActive !== null && { isActive }) },
    });
    await saveRecords(app.connection.scope, entities.Unit, [
      unit('on', true),
      unit('off', false),
      unit('unknown', null),
    ]);
  });

  test('is not inactive, and has no symbol instead of an empty one', async () => {
    const { body } = await app.fetch<Listed>('/v4/units?filter[code]=unknown');
    expect(body.data[0]).not.toHaveProperty('isActive');
    expect(body.data[0]).not.toHaveProperty('symbol');
  });

  test.each([
    ['filter[isActive]=true', ['on']],
    ['filter[isActive]=false', ['off']],
    ['filter[isActive]=null', ['unknown']],
    ['filter[isActive:neq]=false', ['on', 'unknown']],
    ['filter[isActive:neq]=null', ['off', 'on']],
  ])('is found by the filters that match its returned value: %s', async (filter, found) => {
    expect(await names(`filter[_source]=units&${filter}`)).toEqual(found);
  });

  test('a vendor without terms has empty terms, and one without a name has its label as the name', async () => {
    await saveRecords(app.connection.scope, entities.Vendor, [
      { _source: 'vendors', _idValue: 'V1', values: { _displayValue: 'V1 Ltd' }, references: {} },
    ]);
    for (const filter of ['filter[terms]=', 'filter[name]=V1 Ltd', 'filter[terms:neq]=null', 'filter[name:neq]=null']) {
      const { body } = await app.fetch<Listed>(`/v4/vendors?filter[_idValue]=V1&${filter}`);
      expect(body.data, filter).toMatchObject([{ name: 'V1 Ltd', terms: '' }]);
    }
  });
});
