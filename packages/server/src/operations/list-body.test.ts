import { describe, expect, it } from 'vitest';
import { listBody } from './list-body.ts';

const META = { current_page: 1, has_more: true };

describe('the body of a list', () => {
  it('is a text if it is small', () => {
    expect(listBody(META, ['{"id":"1"}', '{"id":"2"}'])).toBe(
      '{"meta":{"current_page":1,"has_more":true},"data":[{"id":"1"},{"id":"2"}]}',
    );
    expect(listBody(META, [])).toBe('{"meta":{"current_page":1,"has_more":true},"data":[]}');
  });

  it('contains bytes of joined records, and frees their memory', () => {
    const records = Buffer.allocUnsafeSlow(40).fill(' ');
    const length = records.write('{"id":"1"},{"id":"2"}');
    const body = listBody(META, records.subarray(0, length));
    expect(new TextDecoder().decode(body as Uint8Array)).toBe(
      '{"meta":{"current_page":1,"has_more":true},"data":[{"id":"1"},{"id":"2"}]}',
    );
    expect(records).toHaveLength(0);
  });

  it.each([
    ['ASCII', 'Pump'],
    ['Latin-1', 'Müller'],
    ['other letters', 'Łódź'],
    ['surrogate pairs', '📦'],
    ['a lone surrogate, which JSON escapes', '\ud83d'],
  ])('is UTF-8 if it is large, with %s', (_, name) => {
    const records = [...Array(300).keys()].map((id) => ({ id, name, note: `${'x'.repeat(1000)}${name}` }));
    const body = listBody(
      META,
      records.map((record) => JSON.stringify(record)),
    );
    expect(body).toBeInstanceOf(Uint8Array);
    expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body as Uint8Array))).toEqual({
      meta: META,
      data: records,
    });
  });
});
