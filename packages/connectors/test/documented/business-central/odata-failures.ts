import type { Answer } from '../documented-server.ts';

/** An error as the service returns it. */
export function fail(status: number, code: string, message: string): Answer {
  return {
    status,
    body: { error: { code, message: `${message}  CorrelationId:  00000000-1111-2222-3333-444444444444.` } },
  };
}
