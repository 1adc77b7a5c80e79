import { filesProtocol } from './files/open-files.ts';
import { odataProtocol } from './odata/open-odata.ts';
import type { Protocol } from './protocol.ts';
import { restProtocol } from './rest/open-rest.ts';
import { sqlProtocol } from './sql/open-sql.ts';
import { trytonProtocol } from './tryton/open-tryton.ts';

/** Protocols by name: the possible values of `driver` in a platform.yaml. */
export const protocols: Readonly<Record<string, Protocol>> = {
  files: filesProtocol,
  odata: odataProtocol,
  rest: restProtocol,
  sql: sqlProtocol,
  tryton: trytonProtocol,
};
