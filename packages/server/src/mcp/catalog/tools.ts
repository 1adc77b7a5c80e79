import { type Operation, operations } from '@unified/contract';
import type { Capability } from '@unified/engine';
import type { ToolAccess } from '../policy/policy.ts';

/** A tool: an operation on the records of a connected system that users of MCP can call. */
export interface Tool {
  /** Name of the operation in lower case with underscores: `list_vendors`. */
  readonly name: string;
  readonly operation: Operation;
  /** The entity of its records; empty for queries, which can concern all entities. */
  readonly entity: string;
  readonly access: ToolAccess;
}

/** A tool of a server of a third party, which a person has approved. Its texts are foreign. */
export interface ThirdPartyTool extends Pick<Tool, 'name' | 'entity' | 'access'> {
  readonly operation?: undefined;
  readonly serverId: string;
  /** Name at the third party. */
  readonly foreignName: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Hash of what was approved. */
  readonly hash: string;
}

/** Stands between the platform and the name of a tool in the list of all tools. */
export const SEPARATOR = '__';

/** A tool that a user can call. */
export type AnyTool = Tool | ThirdPartyTool;

const ACCESS: Readonly<Partial<Record<Operation['kind'], ToolAccess>>> = {
  list: 'read',
  get: 'read',
  create: 'write',
  update: 'write',
  action: 'write',
  delete: 'delete',
};

/** All tools, by name. Deprecated operations, and operations on several records at a time, are not tools. */
export const tools: readonly Tool[] = operations
  .flatMap((operation: Operation): Tool[] => {
    if (operation.id === 'runQuery') return [{ name: toolName(operation.id), operation, entity: '', access: 'read' }];
    const access = ACCESS[operation.kind];
    if (!access || operation.surface !== 'data' || operation.deprecated || operation.entity === undefined) return [];
    return [{ name: toolName(operation.id), operation, entity: operation.entity, access }];
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool with this name; undefined if there is none. */
export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}

function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) => `_${letters}`).toLowerCase();
}

/** The tools that a connected system supports according to its capabilities. */
export function supportedTools(capabilities: readonly Capability[]): readonly Tool[] {
  const of = new Map(capabilities.map((each) => [each.entity, each]));
  return tools.filter(({ entity, operation }) => {
    if (entity === '') return capabilities.some(({ operations: served }) => served.includes('list'));
    const capability = of.get(entity);
    if (!capability) return false;
    const { kind, action = '' } = operation;
    return kind === 'action'
      ? capability.actions.includes(action)
      : capability.operations.some((each) => each === kind);
  });
}
