import { mapSchemas } from './map-schemas.ts';
import type { Document } from './openapi.ts';

/** The document in which every number has the format `double`: generators for Go use `float32` for numbers without a format. */
export function nameDoubles(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const isNumber = [schema.type].flat().includes('number');
    return isNumber && schema.format === undefined ? { ...schema, format: 'double' } : schema;
  });
}
