import type { Answer } from '../documented-server.ts';

/** An error as the API returns it; the traceback must not reach users. */
export function fail(status: number, name: string, message: string): Answer {
  const debug = `Traceback (most recent call last):\n  File "/opt/odoo/http.py", line 2212\n${name}: ${message}`;
  return { status, body: { name, message, arguments: [message], context: {}, debug } };
}
