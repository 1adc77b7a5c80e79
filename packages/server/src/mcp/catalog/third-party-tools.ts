import { hash } from 'node:crypto';
import type { DescribedForeignTool } from '@unified/engine';
import type { ForeignTool, ThirdPartyServer } from '@unified/store';
import { visibleText, visibleValue } from '../results/foreign-text.ts';
import type { ThirdPartyTool } from './tools.ts';

/** Stands between the prefix of a server and the name of its tool. */
const SEPARATOR = '__';
const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 2_000;
/** Bytes of the schema of arguments. */
const LARGEST_SCHEMA = 20_000;

/** The name of a tool of a third party, with the prefix of its server. */
export function prefixedName({ prefix }: Pick<ThirdPartyServer, 'prefix'>, name: string): string {
  return prefix + SEPARATOR + name;
}

/**
 * The tools of a server that can be called: those whose description and arguments are exactly what a person approved. Texts are
 * without what a person could not have seen in them. By name.
 */
export function approvedTools(server: ThirdPartyServer): ThirdPartyTool[] {
  return server.tools
    .filter(isApproved)
    .map(
      (tool): ThirdPartyTool => ({
        ...{ name: prefixedName(server, tool.name), entity: '', foreignName: tool.name, serverId: server.id },
        ...{ description: shownDescription(tool), inputSchema: shownSchema(tool), hash: tool.hash },
        access: tool.isReadOnly ? 'read' : tool.isDestructive ? 'delete' : 'write',
      }),
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Whether a tool is as a person approved it. */
export function isApproved({ hash: current, approvedHash }: ForeignTool): boolean {
  return approvedHash === current;
}

/** The description of a tool as people and agents see it. */
export function shownDescription({ description }: Pick<ForeignTool, 'description'>): string {
  return visibleText(description).slice(0, LONGEST_DESCRIPTION);
}

/** The schema of the arguments of a tool as people and agents see it. */
export function shownSchema({ inputSchema }: Pick<ForeignTool, 'inputSchema'>): Readonly<Record<string, unknown>> {
  return visibleValue(inputSchema) as Readonly<Record<string, unknown>>;
}

/** Whether all of these tools were shown to a person as they are. */
export function areShown(tools: readonly ForeignTool[]): boolean {
  return tools.every(({ hash: current, shownHash }) => shownHash === current);
}

/** Tools that a response of a management operation contains. Only what was shown can be approved. */
export function asShown(tools: readonly ForeignTool[]): ForeignTool[] {
  return tools.map((tool) => ({ ...tool, shownHash: tool.hash }));
}

/**
 * Tools as they were read, with what was approved and shown of them. With `approves`, those are approved that are as they were
 * shown to a person last; a read in between, such as before the call of an agent, shows nothing. Tools whose names a call could
 * not contain are left out, and those whose schemas are too large to be reviewed.
 */
export function pinnedTools(
  server: Pick<ThirdPartyServer, 'prefix' | 'tools'>,
  read: readonly DescribedForeignTool[],
  { approves }: { readonly approves: boolean },
): ForeignTool[] {
  const known = new Map(server.tools.map((tool) => [tool.name, tool]));
  const usable = read.filter(
    ({ name, inputSchema }) =>
      /^[A-Za-z0-9_.-]+$/.test(name) &&
      prefixedName(server, name).length <= LONGEST_NAME &&
      Buffer.byteLength(JSON.stringify(inputSchema)) <= LARGEST_SCHEMA,
  );
  return usable.map(({ name, description, inputSchema, isReadOnly, isDestructive }) => {
    const tool = { name, description, inputSchema, isReadOnly, isDestructive };
    const current = hash('sha256', JSON.stringify(tool), 'base64url');
    const { approvedHash = null, shownHash = null } = known.get(name) ?? {};
    return {
      ...tool,
      hash: current,
      approvedHash: approves && shownHash === current ? current : approvedHash,
      shownHash,
    };
  });
}
