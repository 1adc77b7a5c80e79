import { ServiceError } from '@unified/contract';
import { tools } from '../mcp/catalog/tools.ts';
import { quoted, suggestion } from '../request-error.ts';

/** The error for a tool that does not exist, with the name that was probably meant. */
export function noTool(name: string): ServiceError {
  const known = tools.map((tool) => tool.name);
  const { advice, detail } = suggestion(name, known);
  return new ServiceError('SERVICE_NOT_FOUND', `There is no tool ${quoted(name)}.${advice}`, { details: [detail] });
}
