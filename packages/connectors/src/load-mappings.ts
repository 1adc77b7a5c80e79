import { compileChecked, refuseUnable, singleKeysOf, textIn, unknownTouches } from './compile-checked.ts';
import { DefinitionError } from './mapping/definition-error.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { at, refuse, top } from './mapping/schema-path.ts';
import type { BrokenMapping, Platform, Stream } from './platform.ts';
import { readYaml, yamlFiles } from './platform-files.ts';
import type { Protocol } from './protocol.ts';

/** A mapping with the file that defines it. */
interface Loaded {
  readonly file: string;
  readonly mapping: CompiledMapping;
}

/**
 * Reads the mappings of a platform folder. Those that cannot be used are set aside, each with all its errors.
 *
 * @param streams if absent, no mapping is refused because of its stream
 * @param protocol if absent, no mapping is refused because of missing parts
 */
export function loadMappings(
  folder: string,
  streams?: readonly Stream[],
  protocol?: { readonly driver: string; partsOf(stream: Stream): Protocol['parts'] },
): Pick<Platform, 'mappings' | 'broken'> {
  const loaded = new Map<string, Loaded>();
  const broken: BrokenMapping[] = [];
  const files = yamlFiles(folder, 'mappings').map((path) => ({ path, ...readOrRefusal(folder, path) }));
  const singleKeys = singleKeysOf(
    files.map(({ content }) => content),
    streams ?? [],
  );
  for (const { path, file, content, refusal } of files) {
    try {
      if (refusal) throw refusal;
      const mapping = compileChecked(file, content, { streams, singleKeys });
      const stream = streams?.find(({ name }) => name === mapping.stream);
      if (protocol && stream) refuseUnable(file, mapping, protocol.driver, protocol.partsOf(stream));
      if (loaded.has(mapping.entity)) refuse(at(top(file), 'entity'), `${mapping.entity} already has a mapping`);
      loaded.set(mapping.entity, { file, mapping });
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      broken.push(setAside(path, content, error));
    }
  }
  const named = new Set([...loaded.keys(), ...broken.map(({ entity }) => entity)]);
  for (const { file, mapping } of [...loaded.values()]) {
    const problems = unknownTouches(file, mapping, named);
    if (problems.length === 0) continue;
    loaded.delete(mapping.entity);
    broken.push({ entity: mapping.entity, stream: mapping.stream, problems });
  }
  return { mappings: Object.fromEntries([...loaded].map(([name, { mapping }]) => [name, mapping])), broken };
}

/** The content of a file, or why it cannot be read. */
function readOrRefusal(folder: string, path: string): { file: string; content?: unknown; refusal?: DefinitionError } {
  try {
    return readYaml(folder, path);
  } catch (error) {
    if (error instanceof DefinitionError) return { file: path, refusal: error };
    throw error;
  }
}

function setAside(path: string, content: unknown, { problems }: DefinitionError): BrokenMapping {
  const entity = textIn(content, 'entity') ?? entityOfFile(path);
  return { entity, stream: textIn(content, 'stream') ?? null, problems };
}

/** The entity by the naming rule of the files: `mappings/purchase-order.yaml` is for PurchaseOrder. */
function entityOfFile(path: string): string {
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.yaml$/, '') ?? '';
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
