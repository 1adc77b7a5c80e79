import type { Operation } from '@unified/contract';
import { expect, test } from 'vitest';
import { createValidator, isWebAddress } from './validator.ts';

test.each([
  'https://files.example/nameplate.png',
  'HTTP://files.example',
  'https://files.example:8443/a?b=c@d#e',
  'https://files.example/Übersicht.pdf',
  'http://[::1]:8080/x',
])('%s is a web address', (text) => {
  expect(isWebAddress(text)).toBe(true);
});

test.each([
  ['another scheme', 'javascript://x/%0aalert(1)'],
  ['no host', 'https://'],
  ['no host before the path', 'https:///etc/passwd'],
  ['no host before the query', 'http://?x=1'],
  ['a user', 'https://user@files.example/x'],
  ['a user and a password', 'https://user:secret@files.example/x'],
  ['an empty user', 'https://@files.example/x'],
  ['a port that does not exist', 'https://files.example:99999/x'],
  ['a host with a space', 'https://exa mple/x'],
  ['a path with a space', 'https://files.example/a b'],
  ['a line break', 'https://files.example/a\nb'],
  ['a backslash', 'https:\\\\files.example\\x'],
])('refused: %s', (_, text) => {
  expect(isWebAddress(text)).toBe(false);
});

test('a number in a path is a number in the first request, and in later ones', async () => {
  const operation: Operation = {
    ...{ id: 'getRevision', path: '/revisions/{revision}', bases: ['/v4'], tag: 'Things', shard: 'things' },
    ...{ surface: 'data', method: 'get', kind: 'other', security: ['connectionToken'] },
    ...{ readsReplica: false, deprecated: false },
  };
  const revision = { name: 'revision', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } };
  const get = { operationId: 'getRevision', parameters: [revision], responses: { default: { description: '' } } };
  const validator = createValidator({
    things: {
      ...{ openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, components: { schemas: {} } },
      paths: { '/revisions/{revision}': { get } },
    },
  });
  const described = {
    ...{ headers: [], integers: [], query: new Set<string>(), takesBody: false, needsBody: false },
    ...{ takesForm: false, takesFile: false },
  };
  const checked = async (path: Record<string, string>) =>
    (await validator.validate(operation, described, { path, query: {}, headers: {}, body: undefined })).path;
  expect(await checked({ revision: '0' })).toEqual({ revision: 0 });
  expect(await checked({ revision: '7' })).toEqual({ revision: 7 });
});
