import { codeLines } from './generated/codes.ts';

interface Code {
  readonly status: number;
  readonly retryable: boolean;
}

/** The codes that this release knows. */
export const codes: Readonly<Record<string, Code | undefined>> = Object.assign(
  Object.create(null),
  ...codeLines.map((line) => {
    const [mark = '', ...names] = line.split(' ');
    const code: Code = { status: Number.parseInt(mark, 10), retryable: mark.endsWith('!') };
    return Object.fromEntries(names.map((name) => [`SERVICE_${name}`, code]));
  }),
);
