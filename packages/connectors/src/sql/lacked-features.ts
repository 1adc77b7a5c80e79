import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { Feature, SqlDialect } from './dialect/sql-dialect.ts';
import type { Child, GivenStreamOptions, PlatformOptions } from './options.ts';
import { isUtc } from './zones.ts';

/** A feature and the option that needs it. */
interface Need {
  readonly feature: Feature;
  readonly field: string;
}

/** Options of a platform that one of its dialects does not support, each with its place in the file. */
export function lackedFeatures(
  id: string,
  dialects: readonly SqlDialect[],
  platform: Partial<PlatformOptions>,
  streams: readonly { readonly stream: Stream; readonly options: GivenStreamOptions }[],
): DefinitionProblem[] {
  const needs = [
    ...needsOfPlatform(platform),
    ...streams.flatMap(({ stream, options }) =>
      needsOfStream(options).map(({ feature, field }) => ({
        feature,
        field: `streams.${stream.name}.${field}`,
      })),
    ),
  ];
  return needs.flatMap(({ feature, field }) =>
    dialects
      .filter(({ lacks }) => lacks.has(feature))
      .map(({ title }) => ({ file: `${id}/platform.yaml`, field, message: `${title} has no ${feature}` })),
  );
}

function needsOfPlatform({ journal, timezone }: Partial<PlatformOptions>): Need[] {
  return [...need('journal', 'options.journal', journal), ...needOfZone('options.timezone', timezone)];
}

function needsOfStream(options: GivenStreamOptions): Need[] {
  const { content, timezone, columns = {}, children = {}, actions = {}, generated = {} } = options;
  return [
    ...need('contents', 'options.content', content),
    ...needOfZone('options.timezone', timezone),
    ...each(columns, (column, name) => needOfZone(`options.columns.${name}.timezone`, column.timezone)),
    ...each(children, (child, name) => needsOfList(child, `options.children.${name}`)),
    ...each(actions, ({ call }, name) => [
      ...need('writes', `options.actions.${name}`, name),
      ...need('functions', `options.actions.${name}.call`, call),
    ]),
    ...each(generated, (rule, name) => (rule === 'default' ? [] : needsOfRule(rule, `options.generated.${name}`))),
  ];
}

function needsOfList({ timezone, written }: Child, field: string): Need[] {
  return [
    ...needOfZone(`${field}.timezone`, timezone),
    ...need('writes', `${field}.written`, written === true ? written : undefined),
  ];
}

function needsOfRule(rule: object, field: string): Need[] {
  const features: readonly (readonly [string, Feature])[] = [
    ['function', 'functions'],
    ['sequence', 'sequences'],
    ['highest', 'highest numbers'],
  ];
  return features.flatMap(([name, feature]) => (name in rule ? [{ feature, field: `${field}.${name}` }] : []));
}

/** Databases without zones treat all times as UTC. */
function needOfZone(field: string, timezone: string | undefined): Need[] {
  return timezone !== undefined && isUtc(timezone) ? [] : need('time zones', field, timezone);
}

function need(feature: Feature, field: string, stated: unknown): Need[] {
  return stated === undefined ? [] : [{ feature, field }];
}

function each<T>(stated: Readonly<Record<string, T>>, needs: (value: T, name: string) => Need[]): Need[] {
  return Object.entries(stated).flatMap(([name, value]) => needs(value, name));
}
