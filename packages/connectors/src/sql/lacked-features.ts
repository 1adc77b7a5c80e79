import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { Feature, SqlDialect } from './dialect/sql-dialect.ts';
import type { GivenStreamOptions, PlatformOptions } from './options.ts';
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
    ...needOfZone('options.timezone', platform.timezone),
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

function needsOfStream(options: GivenStreamOptions): Need[] {
  const { content, timezone, columns = {}, children = {}, actions = {}, generated = {} } = options;
  return [
    ...need('contents', 'options.content', content),
    ...needOfZone('options.timezone', timezone),
    ...each(columns, (column, name) => needOfZone(`options.columns.${name}.timezone`, column.timezone)),
    ...each(children, (child, name) => needOfZone(`options.children.${name}.timezone`, child.timezone)),
    ...each(actions, ({ call }, name) => need('functions', `options.actions.${name}.call`, call)),
    ...each(generated, (rule, name) => (rule === 'default' ? [] : needsOfRule(rule, `options.generated.${name}`))),
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
