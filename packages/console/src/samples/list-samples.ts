import { camelCase } from '../api/record-calls.ts';
import { catalog } from '../contract/entity-catalog.ts';
import { filterKey, type ListCondition, type ListView, sdkFilter } from '../lists/conditions-of-search.ts';

/** A list that is shown as code. */
export interface SampledList extends ListView {
  readonly serverUrl: string;
  /** A token, or a shell variable that contains one. */
  readonly token: string;
  readonly collection: string;
  readonly perPage: number;
}

/** The same request in several languages. */
export interface Samples {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

const VARIABLE = '$TOKEN';

/** A list of records as a command and as programs. */
export function listSamples(list: SampledList): Samples {
  return { curl: curlOf(list), typescript: typescriptOf(list), python: pythonOf(list) };
}

/** The parameters of the request, in the order of the address. */
function parametersOf({ conditions, sort, perPage }: SampledList): [string, string][] {
  return [
    ...conditions.map(({ field, operator, value }): [string, string] => [filterKey(field, operator), value]),
    ...(sort === undefined ? [] : [['sort', sort] as [string, string]]),
    ['per_page', String(perPage)],
  ];
}

function curlOf(list: SampledList): string {
  const { serverUrl, collection } = list;
  const lines = parametersOf(list).map(([name, value]) => `  --data-urlencode ${shellText(`${name}=${value}`)}`);
  return [
    `curl -sSG ${shellText(`${serverUrl}${catalog.prefix}/${collection}`)}`,
    `  -H ${authorization(list)}`,
    ...lines,
  ].join(' \\\n');
}

/** A variable is expanded between double quotes; everything else is quoted as it is. */
function authorization({ token }: SampledList): string {
  return token === VARIABLE ? `"Authorization: Bearer ${VARIABLE}"` : shellText(`Authorization: Bearer ${token}`);
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typescriptOf(list: SampledList): string {
  const { serverUrl, token, collection, conditions, sort, perPage } = list;
  const given = token === VARIABLE ? "process.env.TOKEN ?? ''" : JSON.stringify(token);
  const options = {
    ...(conditions.length > 0 && { filter: sdkFilter(conditions) }),
    ...(sort !== undefined && { sort }),
    per_page: perPage,
  };
  return `import { createClient } from '@unified/sdk';

const client = createClient({ baseUrl: '${serverUrl}', token: ${given} });
const { data } = await client.${camelCase(collection)}.list(${JSON.stringify(options, null, 2)});
console.log(data);`;
}

function pythonOf(list: SampledList): string {
  const { serverUrl, token, collection } = list;
  const given = token === VARIABLE ? "os.environ['TOKEN']" : JSON.stringify(token);
  const lines = parametersOf(list).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `import json${token === VARIABLE ? ', os' : ''}
from urllib.parse import urlencode
from urllib.request import Request, urlopen

parameters = {
${lines.join('\n')}
}
request = Request('${serverUrl}${catalog.prefix}/${collection}?' + urlencode(parameters))
request.add_header('Authorization', 'Bearer ' + ${given})
print(json.load(urlopen(request))['data'])`;
}

const COMPARISONS: Readonly<Record<string, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
/** Values that MQL reads without quotes. */
const PLAIN = /^(-?\d+(\.\d+)?|true|false)$/;

/** A list as a statement in MQL. */
export function mqlOf({ conditions, sort, collection, perPage }: Omit<SampledList, 'serverUrl' | 'token'>): string {
  const where = conditions.map(conditionInMql);
  const order = sort?.replace(/^-(.*)$/, '$1 desc');
  return [
    `select * from ${collection.replaceAll('-', '_')}`,
    where.length > 0 && `where ${where.join('\n  and ')}`,
    order && `order by ${order}`,
    `limit ${perPage}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function conditionInMql({ field, operator, value }: ListCondition): string {
  if (value === 'null' && operator === 'eq') return `${field} is null`;
  if (value === 'null' && operator === 'neq') return `${field} is not null`;
  if (operator === 'in')
    return `${field} in (${value
      .split(',')
      .map((each) => literal(each.trim()))
      .join(', ')})`;
  if (operator === 'contains') return `${field} ilike ${textLiteral(`%${value}%`)}`;
  if (operator === 'startsWith') return `${field} ilike ${textLiteral(`${value}%`)}`;
  if (operator === 'endsWith') return `${field} ilike ${textLiteral(`%${value}`)}`;
  return `${field} ${COMPARISONS[operator] ?? '='} ${literal(value)}`;
}

function literal(value: string): string {
  return PLAIN.test(value) ? value : textLiteral(value);
}

function textLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
