import type { Texts } from '../en/english.ts';
import { germanAccountTexts } from './german-account-texts.ts';
import { germanGeneralTexts } from './german-general-texts.ts';
import { germanRecordTexts } from './german-record-texts.ts';
import { germanRuleTexts } from './german-rule-texts.ts';
import { germanSystemTexts } from './german-system-texts.ts';
import { germanWorkspaceTexts } from './german-workspace-texts.ts';

/** The texts of all pages in German. */
export const german: Texts = {
  ...germanGeneralTexts,
  ...germanAccountTexts,
  ...germanSystemTexts,
  ...germanRecordTexts,
  ...germanWorkspaceTexts,
  ...germanRuleTexts,
};
