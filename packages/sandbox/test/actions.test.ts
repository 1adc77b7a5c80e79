import { platformOf } from '@unified/connectors';
import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { addSandboxPlatform } from '../src/index.ts';

addSandboxPlatform();

const moved = Object.values(entities).filter(({ actions, view }) => actions.length > 0 && !view);

test.each(moved)('$name has every action of the document', ({ name, actions }) => {
  const mapped = Object.keys(platformOf('sandbox').mappings[name]?.actions ?? {});
  expect(mapped.sort()).toEqual(actions.map((action) => action.name).sort());
});
