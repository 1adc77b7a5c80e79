import { ServiceError } from '@unified/contract';
import { type AnyTool, tools } from '../mcp/catalog/tools.ts';
import { quoted, suggestion } from '../request-error.ts';

/** The error for a tool that does not exist, with the name that was most likely meant among these, by default the tools of connected systems. */
export function noTool(name: string, among: readonly AnyTool[] = tools): ServiceError {
  const known = among.map((tool) => tool.name);
  const { advice, detail } = suggestion(name, known);
  return new ServiceError('SERVICE_NOT_FOUND', `There is no tool ${quoted(name)}.${advice}`, { details: [detail] });
}
