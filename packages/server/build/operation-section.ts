import { type Operation, resolve, templateOf } from '@unified/contract';
import { breakable, type Html, html } from '../src/html.ts';
import { parametersOf } from '../src/reference/parameter-examples.ts';
import type {
  CodeSample,
  DocumentContent,
  DocumentHeader,
  DocumentOperation,
  DocumentParameter,
  DocumentResponse,
} from '../src/reference/reference-document.ts';
import { codeBlock, heading } from './markdown.ts';
import { allowedStates, tokensOf } from './operation-notes.ts';
import { propertyList, rowList, type Shown } from './property-list.ts';
import type { Direction, Row } from './property-rows.ts';
import { responseExample } from './response-example.ts';
import { nameOf } from './schema.ts';
import { typeOf } from './schema-type.ts';

/** What the section of an operation depends on. */
export interface ShownOperation extends Shown {
  /** Address of the operation at a method and path, such as `GET /vendors`. */
  readonly linkOfCall: (call: string) => string | undefined;
}

/** Everything about one operation: description, parameters, body and responses, with code samples next to them. */
export function operationSection(shown: ShownOperation, operation: Operation): Html {
  const described = shown.document.paths[operation.path]?.[operation.method] ?? {};
  const title = described.summary ?? operation.id;
  return html`<section class="operation" aria-labelledby="${operation.id}">
${heading(2, operation.id, html`${title} ${badges(operation)}`)}
<div class="split"><div class="about">
<p class="call">${callView(operation)}</p>
${successorNote(shown, operation)}
${described.description && shown.markdown.block(described.description)}
${facts(shown, operation, described)}
${parameterView(shown, 'Parameters', parametersOf(shown.document, operation), 'request')}${bodyView(shown, described, 'request')}${responsesView(shown, described)}
</div><div class="examples">${samplesView(title, described['x-codeSamples'] ?? [])}${exampleView(shown, operation, described)}</div></div>
</section>
`;
}

/** The label of a deprecated operation. */
export function badges({ deprecated }: Operation): Html {
  return html`${deprecated && html` <span class="badge deprecated">Deprecated</span>`}`;
}

/** Method and path: `GET /v4/vendors`. */
export function callView(operation: Operation): Html {
  const { method } = operation;
  return html`<span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(templateOf(operation))}</code>`;
}

function successorNote({ linkOfCall }: ShownOperation, { method, deprecation }: Operation): Html {
  const successor = deprecation?.successor && `${method.toUpperCase()} ${deprecation.successor}`;
  const link = successor && linkOfCall(successor);
  return html`${successor && html`<p class="note">Use ${link ? html`<a href="${link}"><code>${successor}</code></a>` : html`<code>${successor}</code>`} instead.</p>`}`;
}

function facts({ markdown }: Shown, operation: Operation, described: DocumentOperation): Html {
  const states = allowedStates(described);
  return html`<p class="facts">${tokensOf(operation)}${states && html` ${markdown.inline(states)}`}</p>`;
}

/** Parameters below a title; undefined if there are none. */
export function parameterView(
  shown: Shown,
  title: string,
  parameters: readonly DocumentParameter[],
  direction: Direction,
): Html | undefined {
  const all = parameters.map(
    ({ name = '', in: place = '', required = false, description, schema = {} }): Row => ({
      ...{ name, place, schema, isRequired: required, description },
    }),
  );
  return all.length === 0 ? undefined : html`<h3>${title}</h3>${rowList(shown, all, direction)}`;
}

/** The bodies of a request by media type; undefined if it has none. */
export function bodyView(shown: Shown, { requestBody }: DocumentOperation, direction: Direction): Html | undefined {
  if (!requestBody?.content) return undefined;
  const isOptional = !requestBody.required;
  return html`<h3>Body${isOptional && html` <span class="type">optional</span>`}</h3>${Object.entries(
    requestBody.content,
  ).map(
    ([type, { schema = {} }]) =>
      html`<p class="facts"><code>${type}</code> ${typeOf(shown.document, schema, shown.linkOfRecord)}</p>${propertyList(shown, schema, direction)}`,
  )}`;
}

/** The responses by status; those that report errors are collapsed. */
export function responsesView(shown: Shown, { responses = {} }: DocumentOperation): Html {
  const all = Object.entries(responses).map(
    ([status, each]) => [status, resolve<DocumentResponse>(shown.document, each)] as const,
  );
  const isError = ([status]: readonly [string, DocumentResponse]) => status === 'default' || Number(status) >= 400;
  const errors = all.filter(isError);
  return html`<h3>Responses</h3><dl class="responses">${all.filter((each) => !isError(each)).map((each) => responseView(shown, each))}</dl>
${errors.length > 0 && html`<details><summary>Errors</summary><dl class="responses">${errors.map(([status, { description = '' }]) => html`<dt>${status}</dt><dd><p>${shown.markdown.inline(description)}</p></dd>`)}</dl></details>`}`;
}

function responseView(
  shown: Shown,
  [status, { description = '', content = {}, headers = {} }]: readonly [string, DocumentResponse],
): Html {
  const names = Object.keys(headers);
  return html`<dt>${status}</dt><dd><p>${shown.markdown.inline(description)}</p>${bodies(shown, content)}${names.length > 0 && html`<details><summary>Headers</summary><dl class="fields">${names.map((name) => headerView(shown, name, headers[name] ?? {}))}</dl></details>`}</dd>`;
}

/** The types of the bodies of a response, with the properties of those that have no section of their own. */
function bodies(shown: Shown, content: DocumentContent): Html[] {
  return Object.entries(content).map(([type, { schema = {} }]) => {
    const isLinked = shown.linkOfRecord(nameOf(schema) ?? '') !== undefined;
    const list = isLinked ? undefined : propertyList(shown, schema, 'response');
    const name = html`<p class="facts"><code>${type}</code> ${typeOf(shown.document, schema, shown.linkOfRecord)}</p>`;
    return html`${name}${list && html`<details><summary>Body</summary>${list}</details>`}`;
  });
}

function headerView({ document, markdown }: Shown, name: string, header: DocumentHeader): Html {
  const { description = '' } = resolve<DocumentHeader>(document, header);
  return html`<dt><code>${name}</code></dt><dd><p>${markdown.inline(description)}</p></dd>`;
}

function samplesView(title: string, samples: readonly CodeSample[]): Html {
  return html`<div class="samples" role="group" aria-label="Code samples: ${title}"><div class="tabs">${samples.map(({ lang, label }) => html`<button type="button" data-choose="${lang}">${label}</button>`)}</div>${samples.map(
    ({ lang, source }) => html`<div class="sample" data-language="${lang}">${codeBlock(source, lang)}</div>`,
  )}</div>`;
}

/** An example of the response that a first request usually gets; the others are for repeated or slow requests. */
function exampleView(
  { document }: Shown,
  { kind }: Operation,
  { responses = {} }: DocumentOperation,
): Html | undefined {
  const usual = kind === 'action' ? ['202', '200'] : ['201', '200', '202'];
  for (const status of usual) {
    const example =
      responses[status] && responseExample(document, resolve<DocumentResponse>(document, responses[status]));
    if (example !== undefined)
      return html`<div class="response"><p class="label">Response ${status}</p>${codeBlock(JSON.stringify(example, null, 2), 'json')}</div>`;
  }
  return undefined;
}
