import { eachOperation, type Operation } from './operations.ts';
import { responseName } from './place.ts';
import type { Context, Rule } from './redocly.ts';

/**
 * An action is `POST /{plural}/{id}/actions/{verb}` and returns the write record, for a new request and for a replay.
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
}
