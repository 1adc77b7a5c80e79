import { addOperator, type OperatorRole, type Store, startConsoleSession } from '@unified/store';

/** An operator who is signed in to the console. */
export interface TestOperator {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** Headers that a page of the console sends. */
  readonly headers: Readonly<Record<string, string>>;
}

let created = 0;

/** A new operator with an open session. */
export async function operator(store: Store, role: OperatorRole = 'admin'): Promise<TestOperator> {
  created += 1;
  const email = `operator-${created}@northwind.example`;
  const made = await addOperator(store, { email, name: `Operator ${created}`, role });
  if (!made) throw new Error(`${email} exists.`);
  const visit = { method: 'link', address: '127.0.0.1', browser: 'tests' } as const;
  const { secret, session } = await startConsoleSession(store, { operatorId: made.id, ...visit });
  return { id: made.id, email, sessionId: session.id, headers: headersOf(secret) };
}

/** Headers that a page of the console sends with this secret in its cookie. */
function headersOf(secret: string) {
  return { Cookie: `console=${secret}`, 'Sec-Fetch-Site': 'same-origin' };
}
