/** Why a system cannot be used, for the user who connects it. */
export interface Explanation {
  /** What happened. */
  readonly problem: string;
  /** What to do. */
  readonly remedy: string;
}

/** What a driver knows about a failure. Without a problem, it is the message of the failure. */
export type KnownExplanation = Pick<Explanation, 'remedy'> & Partial<Explanation>;

export const NO_RESPONSE: Explanation = {
  problem: 'The host does not respond.',
  remedy: 'Check the address, and that no firewall blocks the connection.',
};
export const CONNECTION_CLOSED: Explanation = {
  problem: 'The host closed the connection.',
  remedy: 'Check that the system is running, that the port belongs to it, and whether it requires TLS.',
};
