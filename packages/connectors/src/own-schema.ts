import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';

let ajv: Ajv2020 | undefined;

/**
 * Returns a function that compiles the check of a schema of this package when first called, so that a process that uses one
 * driver does not compile the options of the others. A test checks that the schemas are valid; a check here would compile the
 * schema of JSON Schema, which takes longer than compiling all of them.
 */
export function compiledOnUse<T>(schema: AnySchema): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => (compiled ??= sharedAjv().compile<T>(schema));
}

function sharedAjv(): Ajv2020 {
  ajv ??= new Ajv2020({
    ...{ allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false },
    ...{ meta: false, validateSchema: false },
    // Optimizing the code takes a quarter of the compilation, and each schema checks a few files.
    code: { optimize: false },
    formats: { uri: (text: string) => URL.canParse(text) },
  });
  return ajv;
}
