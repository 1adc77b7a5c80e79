import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { checkTransition } from './run-action.ts';

const record = (statusCategory?: string) => ({
  id: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b',
  _deletedAt: null,
  ...(statusCategory !== undefined && { statusCategory }),
});
const check = (action: string, statusCategory?: string) => () =>
  checkTransition(entities.WorkOrder, action, record(statusCategory), ['start', 'hold', 'resume', 'reopen']);

describe('an action', () => {
  it('is allowed from the categories that the document names', () => {
    expect(check('start', 'open')).not.toThrow();
    expect(check('resume', 'on_hold')).not.toThrow();
  });

  it('is refused from others, with the allowed ones', () => {
    expect(check('start', 'closed')).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID_TRANSITION',
        details: [{ statusCategory: 'closed', allowedActions: expect.not.arrayContaining(['start', 'cancel']) }],
      }),
    );
    expect(check('complete', 'on_hold')).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ allowedActions: expect.arrayContaining(['resume']) })],
      }),
    );
  });

  it('is refused without those that the connected system does not support', () => {
    expect(check('complete', 'on_hold')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('is on_hold, which does not allow "complete". Use one of: resume.'),
        details: [{ statusCategory: 'on_hold', allowedActions: ['resume'] }],
      }),
    );
    expect(check('start', 'cancelled')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('No action is possible'),
        details: [{ statusCategory: 'cancelled', allowedActions: [] }],
      }),
    );
  });

  it('is left to the connected system if the record has no category', () => {
    expect(check('start')).not.toThrow();
  });
});
