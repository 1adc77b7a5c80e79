export type OperatorRole = 'viewer' | 'operator' | 'admin';

export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly isActive: boolean;
  readonly isInvited: boolean;
  readonly createdAt: string;
  readonly lastSignInAt: string | null;
}

export interface ConsoleSession {
  readonly id: string;
  readonly operatorId: string;
  readonly method: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly browser: string | null;
  readonly isCurrent: boolean;
}

export interface CurrentSession {
  readonly operator: Operator;
  readonly session: ConsoleSession;
  readonly applications: readonly { readonly id: string; readonly name: string }[];
}

export interface SignInMethods {
  readonly needsFirstOperator: boolean;
  readonly passkeys: boolean;
  readonly provider: string | null;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: string;
}

export interface InvitedOperator {
  readonly operator: Operator;
  readonly link: string;
  readonly linkExpiresAt: string;
}
