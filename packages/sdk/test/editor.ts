import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const file = fileURLToPath(new URL('program.ts', import.meta.url));
const head = `import { createClient, type operations } from '@unified/sdk';\nconst client = createClient({ baseUrl: '/', token: '' });\n`;
const options: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
};

/** What an editor shows at the cursors, which are `|` in the code. */
interface Shown {
  /** The declaration of the name at the cursor. */
  readonly hover: string;
  /** What the compiler reports in the line; empty if it compiles. */
  readonly error: string;
  /** Names that are offered at the cursor. */
  readonly completions: readonly string[];
}

/** What an editor shows in a program that uses the built package, for each line with a cursor. */
export function inEditor(lines: readonly string[]): Shown[] {
  const program = lines.reduce((text, line) => `${text}${line.replace('|', '')};\n`, head);
  const service = languageService(program);
  const errors = service.getSemanticDiagnostics(file);
  let start = head.length;
  return lines.map((line) => {
    const cursor = start + line.indexOf('|');
    const from = start;
    start += line.length + 1;
    const error = errors.find((each) => each.start !== undefined && each.start >= from && each.start < start);
    const info = service.getQuickInfoAtPosition(file, cursor);
    return {
      error: ts.flattenDiagnosticMessageText(error?.messageText, '\n'),
      hover: ts.displayPartsToString(info?.displayParts),
      completions: service.getCompletionsAtPosition(file, cursor, {})?.entries.map(({ name }) => name) ?? [],
    };
  });
}

/** A program of one file, read by the compiler only once: each change would take seconds. */
function languageService(program: string): ts.LanguageService {
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => {
      if (name === file) return ts.ScriptSnapshot.fromString(program);
      return ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined;
    },
    getCurrentDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
}
