import { isOfServer } from '../sql/failures.ts';
import type { Parameter } from '../sql/parameter.ts';
import type { Session } from '../sql/session.ts';
import type { ByteBudget } from '../sql/statement.ts';
import { AttemptBudget } from './attempt-budget.ts';
import type { Replica } from './replica.ts';

/** A replica, and the session in which it runs statements. */
export interface ReplicaSession {
  readonly replica: Replica;
  readonly session: Session;
}

/**
 * A session whose statements run on the replica that `choose` returns, and on the primary if there is none. A statement that the
 * replica could not complete runs on the primary instead. Transactions always run there.
 */
export function replicaSession(primary: Session, choose: () => Promise<ReplicaSession | undefined>): Session {
  let chosen: Promise<ReplicaSession | undefined> | undefined;

  async function read<T>(
    work: (session: Session, budget: ByteBudget | undefined) => Promise<T>,
    budget?: ByteBudget,
  ): Promise<T> {
    chosen ??= choose();
    const found = await chosen;
    if (!found) return work(primary, budget);
    const { replica, session } = found;
    const attempt = budget && new AttemptBudget(budget);
    try {
      const result = await work(session, attempt);
      attempt?.keep();
      replica.reads += 1;
      return result;
    } catch (error) {
      if (!isOfServer(error)) throw error;
      attempt?.refund();
      chosen = Promise.resolve(undefined);
      replica.failed(error);
      return work(primary, budget);
    }
  }

  return {
    run: <Row>(text: string, values?: readonly Parameter[], budget?: ByteBudget) =>
      read((session, left) => session.run<Row>(text, values, left), budget),
    runBulk: <Row>(text: string, values?: readonly Parameter[], budget?: ByteBudget) =>
      read((session, left) => session.runBulk<Row>(text, values, left), budget),
    result: (text, values, budget) => read((session, left) => session.result(text, values, left), budget),
    texts: (statement, values, budget) => read((session, left) => session.texts(statement, values, left), budget),
    textsAfter: (before, next, budget) => read((session, left) => session.textsAfter(before, next, left), budget),
    documentsAfter: (before, next, { most, budget }) =>
      read((session, left) => session.documentsAfter(before, next, { most, budget: left }), budget),
    transaction: (work) => primary.transaction(work),
    runTogether: (statements) => primary.runTogether(statements),
    runAsOwner: (text, values) => primary.runAsOwner(text, values),
  };
}
