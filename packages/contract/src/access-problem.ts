import { entities, entityOf } from './entities.ts';

/** An entity that a token gives access to, with the names of its fields; all fields if they are absent. */
export interface NamedAccess {
  readonly entity: string;
  readonly fields?: readonly string[] | undefined;
}

/** The first error in the definition of what a token is to give access to. */
export interface AccessProblem {
  /** Position in the list: `0/entity`, `0/fields/1`. */
  readonly path: string;
  readonly message: string;
  /** The unknown name of an entity or field, and those that exist; absent if the entity is listed twice. */
  readonly unknown?: { readonly sent: string; readonly allowed: readonly string[] };
}

/** Checks that all entities and fields exist, and that each entity is listed once. Undefined if there is no error. */
export function accessProblem(access: readonly NamedAccess[]): AccessProblem | undefined {
  for (const [index, { entity: name, fields = [] }] of access.entries()) {
    const entity = entityOf(name);
    if (!entity) {
      const unknown = { sent: name, allowed: Object.keys(entities) };
      return { path: `${index}/entity`, message: `There is no entity "${name}".`, unknown };
    }
    if (access.findIndex((each) => each.entity === name) !== index)
      return { path: `${index}/entity`, message: `${name} is listed twice. List its fields once.` };
    const allowed = Object.keys(entity.field);
    const unknown = fields.findIndex((each) => !allowed.includes(each));
    const sent = fields[unknown];
    if (sent === undefined) continue;
    const message = `${name} has no field ${JSON.stringify(sent)}.`;
    return { path: `${index}/fields/${unknown}`, message, unknown: { sent, allowed } };
  }
  return undefined;
}
