import { ServiceError } from '@unified/contract';
import { type AnyTool, SEPARATOR, tools } from '../mcp/catalog/tools.ts';
import { quoted, suggestion } from '../request-error.ts';

/**
 * The error for a tool that does not exist, with the name that was most likely meant among these, by default the tools of
 * connected systems.
 */
export function noTool(name: string, among: readonly AnyTool[] = tools): ServiceError {
  const known = among.map((tool) => tool.name);
  // A list with all tools has the platform in their names.
  const own = name.slice(name.indexOf(SEPARATOR) + SEPARATOR.length);
  const found = suggestion(name, known);
  const { advice, detail } = found.advice === '' && name.includes(SEPARATOR) ? suggestion(own, known) : found;
  const details = detail.didYouMean === undefined ? {} : { details: [detail] };
  return new ServiceError('SERVICE_NOT_FOUND', `There is no tool ${quoted(name)}.${advice}`, details);
}
