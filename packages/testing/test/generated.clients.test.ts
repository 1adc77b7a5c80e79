import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

const CLIENTS = new URL('../../../test-clients/', import.meta.url);
const DOCUMENT = fileURLToPath(new URL('../../contract/generated/openapi.json', import.meta.url));
const CLIENT_MS = 600_000;

let company: Company;
beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company.stop());

/**
 * Generates the client in a folder of `test-clients`, compiles it and runs its journey. Returns its output and its exit code.
 */
function journey(language: string): Promise<{ code: unknown; printed: string }> {
  const script = fileURLToPath(new URL(`${language}/run.sh`, CLIENTS));
  const env = { ...process.env, BASE_URL: `${company.baseUrl}/v4`, TOKEN: company.token };
  return new Promise((resolve) => {
    execFile('bash', [script, DOCUMENT], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? error?.signal ?? 0, printed: `${stdout}${stderr}` }),
    );
  });
}

it.concurrent.each(['typescript', 'go', 'python'])(
  'a client generated from the document compiles and completes the journey: %s',
  async (language) => {
    const { code, printed } = await journey(language);
    expect(code, printed).toBe(0);
    expect(printed).toContain(`${language}: the journey is complete`);
    process.stdout.write(`${printed}\n`);
  },
  CLIENT_MS,
);
