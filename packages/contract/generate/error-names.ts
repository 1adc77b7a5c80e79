/** A name, and the facts that must be true for an operation to have it. */
type Row = readonly [name: string, ...facts: string[]];

/** Names by the kind of operation. The first row whose facts are all true applies, so specific rows come first. */
const KINDS: readonly Row[] = [
  ['Compensation', 'compensation'],
  ['WriteRecordAction', 'writeRecord'],
  ['CreateMany', 'batch'],
  ['Delete', 'delete'],
  ['ActionWithBody', 'action', 'requiredBody'],
  ['Action', 'action'],
  ['Change', 'saving', 'target', 'uuid'],
  ['ChangeByCode', 'saving', 'target'],
  ['Create', 'saving'],
  ['File', 'file'],
  ['ChangeLog', 'log'],
  ['Query', 'query'],
  ['Passthrough', 'passthrough'],
  ['RawList', 'sort', 'path'],
  ['List', 'sort'],
  ['Get', 'expand'],
  ['SaveMapping', 'revisions'],
  ['TryMapping', 'mapping', 'checked', 'requiredBody'],
  ['DiscoverTables', 'mapping', 'checked'],
  ['EndingCreateConnection', 'checked', 'key', 'sunset'],
  ['CreateConnection', 'checked', 'key'],
  ['ChangeConnection', 'checked'],
  ['AddNamed', 'named', 'key', 'uuid'],
  ['CreateNamed', 'named', 'key'],
  ['ChangeNamed', 'named', 'requiredBody'],
  ['RestoreNamed', 'named'],
  ['ToolCall', 'tool'],
  ['Decision', 'decision'],
  ['Sync', 'model', 'body'],
  ['Capability', 'model', 'path'],
  ['Capabilities', 'model'],
  ['TokenGrant', 'grant'],
  ['SignIn', 'signIn', 'requiredBody'],
  ['BeginSignIn', 'signIn'],
  ['ChangeOperator', 'lastAdmin', 'requiredBody'],
  ['RemoveOperator', 'lastAdmin'],
  ['Invitation', 'invitation'],
];

/** The parts of the names of other operations, with the alternatives for each part. */
const PARTS: readonly (readonly Row[])[] = [
  [['Ending', 'sunset']],
  [['Pairs', 'pairs']],
  [['Mapping', 'mapping']],
  [['Keyed', 'key']],
  [
    ['Body', 'requiredBody'],
    ['OptionalBody', 'body'],
  ],
  [['Page', 'cursor']],
  [
    ['ById', 'uuid'],
    ['ByName', 'path'],
  ],
];

/** Names of operations without any of these parts. */
const PLAIN: readonly Row[] = [
  ['Authorized', 'credential'],
  ['PublicCounted', 'served', 'counted'],
  ['Public', 'served'],
  ['RateLimited', 'counted'],
];

/** Name of the errors of operations with these facts, such as `List` or `BodyById`. Throws if no name matches. */
export function errorsNameOf(facts: ReadonlySet<string>): string {
  const first = (rows: readonly Row[]) => rows.find(([, ...needed]) => needed.every((fact) => facts.has(fact)))?.[0];
  const parts = PARTS.map((rows) => first(rows) ?? '').join('');
  const name = first(KINDS) ?? (parts || first(PLAIN));
  if (!name) throw new Error(`No name for the errors of operations with the facts ${[...facts].join(', ')}.`);
  return name;
}
