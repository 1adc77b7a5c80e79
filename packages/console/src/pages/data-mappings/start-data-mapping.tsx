import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { called } from '../../api/called.ts';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from '../records/capability-queries.ts';
import { dataMappingsQuery } from './data-mapping-queries.ts';

interface StartDataMappingProps {
  readonly connectionId: string;
  readonly onClose: () => void;
}

/** Starts a data mapping for a kind of record; programs then send its pairs. */
export function StartDataMapping({ connectionId: id, onClose }: StartDataMappingProps) {
  const { dataMappings, general } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const capabilities = useQuery(capabilitiesQuery(id));
  const names = capabilities.data?.map(({ entity }) => entity).toSorted() ?? [];
  const start = useMutation({
    mutationFn: async (body: object) =>
      called(management.POST('/connections/{id}/data-mappings', { params: { path: { id } }, body: body as never })),
    onSuccess: () => {
      queries.invalidateQueries(dataMappingsQuery(management, id));
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start.mutate(textsOf(event.currentTarget));
  };
  const failure = capabilities.error ?? start.error;
  return (
    <Dialog title={dataMappings.start} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <SelectField label={dataMappings.entity} name="entity">
          {names.map((name) => (
            <option key={name} value={name}>
              {catalogEntity(name)?.title ?? name}
            </option>
          ))}
        </SelectField>
        <SelectField label={dataMappings.cardinality} name="cardinality">
          {Object.entries(dataMappings.cardinalities).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {failure && <ErrorNotice error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={start.isPending} disabled={names.length === 0}>
            {dataMappings.start}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
