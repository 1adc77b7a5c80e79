import { eachOperation, type Operation } from './operations.ts';
import { go, isNode } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';

const HEADERS = ['Deprecation', 'Link'];

/**
 * Responses of a deprecated operation describe the headers of the deprecation; those of others have no end. `x-successor` is
 * allowed on deprecated operations only and names a path with no other parameters.
 */
export const deprecated: Rule = () => {
  let paths: Node = {};
  const visitor = eachOperation((operation, context) => {
    checkSuccessor(operation, paths);
    if (operation.at.node.deprecated === true) checkHeaders(operation, context);
    else checkLasting(operation, context);
  });
  return {
    ...visitor,
    Paths(node, context) {
      paths = node;
      visitor.Paths?.(node, context);
    },
  };
};

function checkHeaders({ at, report, successes }: Operation, context: Context): void {
  for (const status of successes)
    for (const header of HEADERS.filter((name) => !go(context, at, 'responses', status, 'headers', name)))
      report(`${status} of a deprecated operation must have the header \`${header}\`.`, 'responses');
}

function checkLasting({ at, report, successes }: Operation, context: Context): void {
  for (const status of successes)
    if (go(context, at, 'responses', status, 'headers', 'Sunset'))
      report(`${status} has the header \`Sunset\`, but the operation is not deprecated.`, 'responses');
}

function checkSuccessor({ at, path, report }: Operation, paths: Node): void {
  const successor = at.node['x-successor'];
  if (successor === undefined) return;
  if (at.node.deprecated !== true) report('only a deprecated operation can have `x-successor`.', 'x-successor');
  if (typeof successor !== 'string' || !isNode(paths[successor]))
    report('`x-successor` must be a path of the document.', 'x-successor');
  else if (parametersOf(successor).some((name) => !parametersOf(path).includes(name)))
    report('`x-successor` may use only parameters of the path.', 'x-successor');
}

function parametersOf(path: string): readonly string[] {
  return path.match(/\{\w+\}/g) ?? [];
}
