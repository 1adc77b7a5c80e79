import { useState } from 'react';
import { serverUrl } from '../../api/base-url.ts';
import type { ListView } from '../../lists/conditions-of-search.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Code } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { listSamples, mqlOf } from '../../samples/list-samples.ts';
import { useTexts } from '../../texts/use-texts.ts';

const FORMS = { curl: 'curl', typescript: 'TypeScript', python: 'Python', mql: 'MQL' } as const;
const PER_PAGE = 50;

interface CopyAsProps {
  readonly collection: string;
  readonly view: ListView;
}

/** The list with its filters as a command, as programs and as a statement. */
export function CopyAs({ collection, view }: CopyAsProps) {
  const { records, start } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [form, setForm] = useState<keyof typeof FORMS>('curl');
  const list = { ...view, serverUrl, token: '$TOKEN', collection, perPage: PER_PAGE };
  const text = form === 'mql' ? mqlOf(list) : listSamples(list)[form];
  return (
    <>
      <Button onClick={() => setOpen(true)}>{records.copyAs}</Button>
      {isOpen && (
        <Dialog wide title={records.copyAs} onClose={() => setOpen(false)}>
          <Choice label={start.language} options={FORMS} value={form} onChange={setForm} />
          <Code text={text} label={FORMS[form]} />
        </Dialog>
      )}
    </>
  );
}
