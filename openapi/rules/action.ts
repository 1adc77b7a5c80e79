import { eachOperation, type Operation } from './operations.ts';
import { go, responseName } from './place.ts';
import type { Context, Rule } from './redocly.ts';

/**
 * An action is `POST /{plural}/{id}/actions/{verb}` and returns the write record, for a new request and for a replay. Its
 * description names what its body requires.
 */
export const action: Rule = () =>
  eachOperation((operation, context) => {
    const { surface, shape, method, path, report } = operation;
    if (surface !== 'data') return;
    if (shape === 'action') checkAction(operation, context);
    else if (method === 'post' && path.includes('/{')) report('a POST that acts on a record must be below `actions/`.');
  });

function checkAction({ method, report, at }: Operation, context: Context): void {
  if (method !== 'post') report('an action must be a POST.');
  for (const status of ['200', '202'])
    if (responseName(context, at, status) !== 'WriteRecord')
      report(`an action must return ${status} with \`WriteRecord\`.`, 'responses');
  const body = go(context, at, 'requestBody', 'content', 'application/json', 'schema');
  const required = Array.isArray(body?.node.required) ? body.node.required.map(String) : [];
  for (const name of required)
    if (!String(at.node.description).includes(`\`${name}\``))
      report(`its description must name \`${name}\`, which it requires.`);
}
