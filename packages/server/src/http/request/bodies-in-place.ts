import type { ValidatorShard } from '@unified/contract';

/** What concerns bodies in the description of an operation. */
interface Described {
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
}

interface Media {
  readonly schema?: { readonly $ref?: string };
}

const SHARED = '#/components/schemas/';

/**
 * A shard whose bodies have their schemas in place of references to them: the validator would compile such a schema to find it,
 * and then once more for the check, which is most of the time of a first request.
 */
export function bodiesInPlace(shard: ValidatorShard): ValidatorShard {
  const { schemas } = shard.components;
  const mediaOf = (media: Media) => {
    const name = media.schema?.$ref?.startsWith(SHARED) ? media.schema.$ref.slice(SHARED.length) : undefined;
    return name === undefined ? media : { ...media, schema: schemas[name] };
  };
  const operationOf = (operation: Described) => {
    const { requestBody } = operation;
    if (!requestBody?.content) return operation;
    return { ...operation, requestBody: { ...requestBody, content: mapped(requestBody.content, mediaOf) } };
  };
  return { ...shard, paths: mapped(shard.paths, (item) => mapped(item, operationOf)) };
}

function mapped<In, Out>(object: Readonly<Record<string, In>>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
