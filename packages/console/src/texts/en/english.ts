import { accountTexts } from './account-texts.ts';
import { generalTexts } from './general-texts.ts';
import { recordTexts } from './record-texts.ts';
import { ruleTexts } from './rule-texts.ts';
import { systemTexts } from './system-texts.ts';
import { workspaceTexts } from './workspace-texts.ts';

/** The texts of all pages in English. */
export const english = {
  ...generalTexts,
  ...accountTexts,
  ...systemTexts,
  ...recordTexts,
  ...workspaceTexts,
  ...ruleTexts,
};

/** The texts of all pages in one language. */
export type Texts = typeof english;
