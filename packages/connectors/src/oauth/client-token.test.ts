import { expect, onTestFinished, test } from 'vitest';
import { httpServer } from '../../test/http-server.ts';
import { createHttpClient } from '../http/http-client.ts';
import { KnownSecrets } from '../known-secrets.ts';
import { ClientToken } from './client-token.ts';

test('a token stays hidden while it is used, however many other secrets the system issues', async () => {
  const token = { access_token: 'token-0123456789', token_type: 'Bearer', expires_in: 3600 };
  const tokenUrl = await httpServer((_request, response) => void response.end(JSON.stringify(token)));
  const http = createHttpClient({ timeoutMs: 5_000, allowPrivate: true });
  onTestFinished(() => http.close());
  const { add, hide } = new KnownSecrets({ secrets: [] }, {});
  const credentials = { tokenUrl, clientId: 'id', clientSecret: 'secret', checked: '"clientId"' };
  const current = new ClientToken(credentials, http, add);
  for (let number = 0; number < 100; number += 1) {
    add(`${number}-${'x'.repeat(8_000)}`);
    expect(hide(await current.header())).toBe('Bearer [hidden]');
  }
});
