import { expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

it('writes filters as in the API, and reads them again', () => {
  const search = { 'filter[name:contains]': 'A & B', sort: '-code' };
  const text = stringifySearch(search);
  expect(text).toBe('?filter[name:contains]=A+%26+B&sort=-code');
  expect(parseSearch(text)).toEqual(search);
});

it('is empty without parameters', () => {
  expect(stringifySearch({ next: undefined })).toBe('');
});
