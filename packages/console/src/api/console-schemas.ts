import type { Shape } from './document-schemas.ts';

/** Roles of this release; a newer server may have others. */
export type OperatorRole = 'viewer' | 'operator' | 'admin';
export type Operator = Shape<'Operator'>;
export type ConsoleSession = Shape<'ConsoleSession'>;
export type CurrentSession = Shape<'CurrentSession'>;
export type SignInMethods = Shape<'SignInMethods'>;
export type IssuedToken = Shape<'ConsoleToken'>;
export type InvitedOperator = Shape<'InvitedOperator'>;
