import { measureSize } from '../../packages/sdk/bench/size.ts';
import { measureTypecheck } from '../../packages/sdk/bench/typecheck.ts';
import type { Part } from './budget.ts';

/** Size of the client, and the type-checking time of its types compared with bare openapi-fetch on the same document. */
export const client: Part = {
  name: 'client',
  about: 'size of the client; type check of its users against bare openapi-fetch',
  async measure(bench) {
    const { gzip, minified } = await measureSize();
    const { calls, client: ours, bare, ratio } = await measureTypecheck();
    bench.say(`${gzip} bytes compressed; ${calls} calls checked in ${ours.seconds} s, bare in ${bare.seconds} s`);
    return [
      {
        name: 'client, minified and compressed',
        value: gzip / 1000,
        unit: 'kB',
        budget: { atMost: 8.45 },
        figures: { 'gzip bytes': gzip, 'minified bytes': minified },
      },
      {
        name: 'type check of a user against bare openapi-fetch',
        value: ratio.seconds,
        unit: 'times',
        budget: { atMost: 1.5 },
        figures: { seconds: ours.seconds, 'bare seconds': bare.seconds, 'instantiations ratio': ratio.instantiations },
      },
    ];
  },
};
