import { ServiceError } from '@unified/sdk';
import { expect, it } from 'vitest';
import { editedFields, refusedFields, textsOfFields } from './mapping-edit.ts';

const platform = { name: 'name1', phone: { text: 'tel' } };

it('sends what was entered, null for an emptied field of the platform, and nothing for other empty fields', () => {
  const texts = { ...textsOfFields(platform), phone: ' ', email: '', terms: '{ text: zahlbed }' };
  expect(editedFields(texts, platform)).toEqual({
    fields: { name: 'name1', phone: null, terms: { text: 'zahlbed' } },
    problems: {},
  });
});

it('names the fields whose texts are not words', () => {
  expect(editedFields({ name: '{ text: ' }, platform)).toEqual({ fields: {}, problems: { name: expect.any(String) } });
});

it('assigns the problems that the service found to their fields', () => {
  const details = [
    { path: 'body/fields/name/text', message: 'lief has no column "nmae1".' },
    { path: 'body/stream', message: 'There is no such stream.' },
  ];
  const refused = new ServiceError('SERVICE_INVALID_BODY', 'The mapping is refused.', { status: 400, details });
  expect(refusedFields(refused)).toEqual({ name: details[0]?.message, '': details[1]?.message });
  expect(refusedFields(new Error('no response'))).toEqual({});
});
