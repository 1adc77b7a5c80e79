import { action } from './action.ts';
import { attached } from './attached.ts';
import { available } from './available.ts';
import { batch } from './batch.ts';
import { bounds } from './bounds.ts';
import { branches } from './branches.ts';
import { componentNames } from './component-names.ts';
import { deprecated } from './deprecated.ts';
import { entity } from './entity.ts';
import { entityNames } from './entity-names.ts';
import { errors } from './errors.ts';
import { examples } from './examples.ts';
import { extensions } from './extensions.ts';
import { flow } from './flow.ts';
import { get } from './get.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { list } from './list.ts';
import { names } from './names.ts';
import { parameters } from './parameters.ts';
import { propertyNames } from './property-names.ts';
import type { Rule } from './redocly.ts';
import { references } from './references.ts';
import { required } from './required.ts';
import { requiredNull } from './required-null.ts';
import { schemas } from './schemas.ts';
import { tags } from './tags.ts';
import { transition } from './transition.ts';
import { view } from './view.ts';
import { viewBody } from './view-body.ts';
import { viewFields } from './view-fields.ts';
import { writable } from './writable.ts';
import { write } from './write.ts';

const rules = {
  action,
  attached,
  available,
  batch,
  bounds,
  branches,
  'component-names': componentNames,
  deprecated,
  entity,
  'entity-names': entityNames,
  errors,
  examples,
  extensions,
  flow,
  get,
  keys,
  limits,
  list,
  names,
  parameters,
  'property-names': propertyNames,
  references,
  required,
  'required-null': requiredNull,
  schemas,
  tags,
  transition,
  view,
  'view-body': viewBody,
  'view-fields': viewFields,
  writable,
  write,
};

/** The conventions of the document as a plugin of Redocly; each rule is switched on in redocly.yaml as `house/<name>`. */
export default function house(): { id: string; rules: { oas3: Record<string, Rule> } } {
  return { id: 'house', rules: { oas3: rules } };
}
