import type { FormEvent } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';

type ToolRule = Shape<'ToolRule'>;

interface AddRuleProps {
  readonly onAdd: (rule: ToolRule) => void;
  readonly onClose: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
}

/** A form for a rule, which becomes the last one. Programs set conditions on arguments and hours. */
export function AddRule({ onAdd, onClose, isSaving, error }: AddRuleProps) {
  const { policy, general } = useTexts();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, tool = '*', effect = 'ask', approvals } = textsOf(event.currentTarget);
    const rule = { tool, effect: effect as ToolRule['effect'], ...(name && { name }) };
    onAdd(effect === 'ask' && approvals === '2' ? { ...rule, approvals: 2 } : rule);
  };
  return (
    <Dialog title={policy.add} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={general.name} name="name" maxLength={255} autoComplete="off" />
        <TextField label={policy.tool} hint={policy.toolHint} name="tool" required maxLength={128} autoComplete="off" />
        <SelectField label={policy.effect} name="effect" defaultValue="ask">
          {Object.entries(policy.effects).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label={policy.approvals} name="approvals">
          <option>1</option>
          <option>2</option>
        </SelectField>
        {error !== null && <ErrorNotice error={error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={isSaving}>
            {policy.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
