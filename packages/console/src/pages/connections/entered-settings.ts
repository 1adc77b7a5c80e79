/** A setting of a connection, as a form asks for it. */
export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly type: 'text' | 'password' | 'number' | 'boolean';
  readonly options: readonly string[] | undefined;
}

interface SettingSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly writeOnly?: boolean;
  readonly enum?: readonly unknown[];
}

/** The settings of a platform from their JSON Schema. Lists and objects are left out; programs set them. */
export function settingFields(schema: Readonly<Record<string, unknown>>): SettingField[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, SettingSchema>>;
  return Object.entries(properties).flatMap(([name, { type, title, description, writeOnly, enum: values }]) => {
    const kind = kindOf(type, writeOnly);
    if (!kind) return [];
    return [{ name, label: title ?? name, description, type: kind, options: values?.map(String) }];
  });
}

function kindOf(type: string | undefined, isSecret = false): SettingField['type'] | undefined {
  if (type === 'string') return isSecret ? 'password' : 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : undefined;
}

/** The settings that a person has entered: only those with a text are replaced. */
export function enteredSettings(fields: readonly SettingField[], texts: Readonly<Record<string, string>>) {
  const entered = fields.flatMap(({ name, type }): [string, unknown][] => {
    const text = texts[name] ?? '';
    if (text === '') return [];
    if (type === 'number') return [[name, Number(text)]];
    return [[name, type === 'boolean' ? text === 'true' : text]];
  });
  return Object.fromEntries(entered);
}
