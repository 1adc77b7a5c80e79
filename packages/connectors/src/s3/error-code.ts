import { performance } from 'node:perf_hooks';

/** How much of an error is read, in characters and milliseconds. Its code is at the beginning. */
const [LONGEST_ERROR, ERROR_MS] = [10_000, 10_000];

/** The code in the body of an error of a service with the S3 API, whose beginning is read; empty if there is none. */
export async function errorCode(body: AsyncIterable<Uint8Array | string>): Promise<string> {
  const startedMs = performance.now();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length >= LONGEST_ERROR || performance.now() - startedMs > ERROR_MS) break;
  }
  return /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1] ?? '';
}
