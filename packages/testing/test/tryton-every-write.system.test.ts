import { platformOf } from '@unified/connectors';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { everyMappedWriteIsFound } from './every-write.ts';
import { servedSystem } from './served-system.ts';
import { finance } from './tryton-writes/finance.ts';
import { masters } from './tryton-writes/masters.ts';
import { parties } from './tryton-writes/parties.ts';
import { production } from './tryton-writes/production.ts';
import { purchasing } from './tryton-writes/purchasing.ts';
import { sales } from './tryton-writes/sales.ts';
import { seededIn } from './tryton-writes/seeded.ts';
import type { Recipes } from './write-recipe.ts';

everyMappedWriteIsFound(platformOf('tryton'), () =>
  servedSystem('tryton', async () => {
    const tryton = await startTryton();
    const { url, database, user, password } = tryton;
    const settings = { url, database, user, password };
    return { settings, recipes: () => recipesFor(tryton), stop: () => tryton.stop() };
  }),
);

async function recipesFor(tryton: RunningTryton): Promise<Recipes> {
  const seeded = await seededIn(tryton);
  return {
    ...parties(seeded),
    ...masters(seeded),
    ...finance(seeded),
    ...purchasing(seeded),
    ...(await sales(seeded)),
    ...(await production(seeded)),
  };
}
