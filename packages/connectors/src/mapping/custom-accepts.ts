import type { FieldKind } from '@unified/contract';
import { compileAccept } from './accept.ts';
import type { Accept } from './accept-scalar.ts';
import type { CustomFieldType } from './definition.ts';

/** `Field.kind` with the same values. */
const KINDS: Readonly<Record<CustomFieldType, FieldKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'datetime',
};

/** Checks of the values of custom fields, by type. */
export const customAccepts = Object.fromEntries(
  Object.entries(KINDS).map(([type, kind]) => [
    type,
    compileAccept({ name: 'customFields', kind, nullable: true, required: false, writable: false }),
  ]),
) as Readonly<Record<CustomFieldType, Accept>>;
