import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dump, load, YAMLException } from 'js-yaml';
import type { Json } from './json.ts';
import { DefinitionError } from './mapping/definition-error.ts';

/** A file of a platform, as parsed from YAML. */
export interface PlatformFile {
  /** Name in messages, starting with the folder of the platform: `sandbox/mappings/vendor.yaml`. */
  readonly file: string;
  readonly content: unknown;
}

/** Paths of the YAML files in a part of a platform folder, in the order of their names. */
export function yamlFiles(folder: string, part: string): string[] {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => `${part}/${name}`);
}

/** Reads a file. @throws DefinitionError if it is missing or not YAML */
export function readYaml(folder: string, path: string): PlatformFile {
  const file = `${basename(folder)}/${path}`;
  try {
    return { file, content: load(readFileSync(join(folder, path), 'utf8')) };
  } catch (cause) {
    throw new DefinitionError([{ file, field: '', message: readingProblem(cause) }], { cause });
  }
}

/** Parses YAML text. @throws DefinitionError with line and column if it is not YAML */
export function parseYaml(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (cause) {
    throw new DefinitionError([{ file, field: '', message: readingProblem(cause) }], { cause });
  }
}

/** The problem on one line, because the message from the parser quotes the surrounding lines. */
function readingProblem(cause: unknown): string {
  if (cause instanceof YAMLException) {
    return `invalid YAML in line ${cause.mark.line + 1}, column ${cause.mark.column + 1}: ${cause.reason}`;
  }
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  if (isMissing) return 'the file is missing';
  return cause instanceof Error ? cause.message : String(cause);
}

/** A value as YAML on one line: `{ ref: { entity: Vendor, by: code, value: vendor_no } }`. */
export function yamlInLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(yamlInLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalarInLine(value);
  const entries = Object.entries(value).map(([name, each]) => `${scalarInLine(name)}: ${yamlInLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Quoted if YAML would otherwise read it differently within a list or an object. */
function scalarInLine(value: Json): string {
  return dump([value], { flowLevel: 0, lineWidth: -1 }).trim().slice(1, -1);
}
