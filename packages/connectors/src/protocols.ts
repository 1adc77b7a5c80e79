import { odataProtocol } from './odata/open-odata.ts';
import type { Protocol } from './protocol.ts';
import { restProtocol } from './rest/open-rest.ts';
import { sqlProtocol } from './sql/open-sql.ts';
import { trytonProtocol } from './tryton/open-tryton.ts';

/** Protocols by name: what `driver` of a platform.yaml can be. */
export const protocols: Readonly<Record<string, Protocol>> = {
  odata: odataProtocol,
  rest: restProtocol,
  sql: sqlProtocol,
  tryton: trytonProtocol,
};
