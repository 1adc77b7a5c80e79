import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { called } from '../../api/called.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import type { Connection } from './connection-queries.ts';
import { enteredSettings, type SettingField, settingFields } from './entered-settings.ts';
import { platformsQuery } from './platform-queries.ts';

interface RenewAccessProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Replaces credentials and other settings with which the connected system is called. Stored ones are never shown. */
export function RenewAccess({ connection: { id, platform }, onClose }: RenewAccessProps) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const platforms = useQuery(platformsQuery(management));
  const known = platforms.data?.find((each) => each.id === platform);
  const fields = known ? settingFields(known.settings) : [];
  const change = useMutation({
    mutationFn: async (settings: Readonly<Record<string, unknown>>) =>
      called(management.PATCH('/connections/{id}', { params: { path: { id } }, body: { settings } })),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(enteredSettings(fields, textsOf(event.currentTarget)));
  };
  const failure = platforms.error ?? change.error;
  return (
    <Dialog title={connections.reauthorize} onClose={onClose}>
      <p className="quiet">{connections.reauthorizeLead}</p>
      {!known && !failure && <Loading />}
      <form className={formClass} onSubmit={submit}>
        {fields.map((field) => (
          <SettingInput key={field.name} field={field} />
        ))}
        {failure && <ErrorNotice error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={change.isPending} disabled={!known}>
            {general.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SettingInput({ field: { name, label, description, type, options } }: { readonly field: SettingField }) {
  const { connections, general } = useTexts();
  const choices = type === 'boolean' ? ['true', 'false'] : options;
  if (!choices) {
    const autoComplete = type === 'password' ? 'new-password' : 'off';
    return (
      <TextField
        label={label}
        hint={description}
        {...{ name, type, autoComplete }}
        step="any"
        placeholder={connections.unchanged}
      />
    );
  }
  const names: Readonly<Record<string, string>> = { true: general.yes, false: general.no };
  return (
    <SelectField label={label} hint={description} name={name} defaultValue="">
      <option value="">{connections.unchanged}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {names[choice] ?? choice}
        </option>
      ))}
    </SelectField>
  );
}
