import { platformOf } from '@unified/connectors';
import { everyMappedWriteIsFound } from './every-write.ts';
import { actionsOf, rowWhere } from './sandbox-writes/actions.ts';
import { CompanyRecords } from './sandbox-writes/company-records.ts';
import { documentActions } from './sandbox-writes/document-actions.ts';
import { givenValues } from './sandbox-writes/given-values.ts';
import { maintenanceActions } from './sandbox-writes/maintenance-actions.ts';
import { otherCreates } from './sandbox-writes/other-creates.ts';
import { type Source, updateOf, writesOf, writtenEntity } from './sandbox-writes/written-fields.ts';
import { type Company, startCompany } from './served-company.ts';
import type { ServedSystem } from './served-system.ts';
import type { Recipe, Recipes } from './write-recipe.ts';

const platform = platformOf('sandbox');

everyMappedWriteIsFound(platform, async (): Promise<ServedSystem> => {
  await using started = new AsyncDisposableStack();
  const company = started.adopt(await startCompany(), (each) => each.stop());
  const recipes = await recipesFor(company);
  const parts = started.move();
  const { baseUrl, token } = company;
  return { baseUrl, token, recipes, stop: () => parts.disposeAsync() };
});

/** The views that have writes of their entity. */
const VIEWS: Readonly<Record<string, string>> = { InventoryDocument: 'CycleCount' };

async function recipesFor(company: Company): Promise<Recipes> {
  const records = new CompanyRecords(company);
  let codes = 0;
  const source: Source = { company, records, nextCode: ({ name }) => `T${++codes}-${name}` };
  const given = await givenValues(records);
  const others = await otherCreates(records);
  const cases = { ...(await maintenanceActions(records)), ...(await documentActions(records)) };
  const recipes: Record<string, Recipe> = {};
  for (const mapping of Object.values(platform.mappings)) {
    if (mapping.writes.size === 0 && Object.keys(mapping.actions).length === 0) continue;
    const written = writtenEntity(mapping, platform.streams);
    const { existing, actions } = await actionsOf(written, cases, company);
    const writes = mapping.writes.has('create')
      ? await writesOf(written, { values: given[mapping.entity] ?? {}, others: others[mapping.entity] ?? [] }, source)
      : await updateOf(written, await rowWhere(company, written.stream, 'true', Object.values(existing)), source);
    const view = VIEWS[mapping.entity];
    recipes[mapping.entity] = {
      ...{ ...writes, actions, existing: { ...existing, ...writes.existing } },
      ...(view !== undefined && { view }),
    };
  }
  const count = await rowWhere(company, { name: 'lagerbeleg', key: ['lbnr'] }, "art = 'IN' AND status = 'E'");
  return { ...recipes, InventoryDocument: withReplacedCount(recipes.InventoryDocument as Recipe, count) };
}

/** Stock documents are replaced by the view of their kind only, such as counts. */
function withReplacedCount(recipe: Recipe, count: string): Recipe {
  const body = { documentType: 'count', description: 'Counted again' };
  const existing = { ...recipe.existing, replace: count };
  return { ...recipe, existing, replace: () => ({ body, found: { beschr: body.description } }) };
}
