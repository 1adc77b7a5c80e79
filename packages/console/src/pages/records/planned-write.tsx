import type { WriteRecord } from '@unified/sdk';
import { Notice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { StepList } from '../writes/step-list.tsx';

/** What a dry run returned: the steps, what references were resolved to, and warnings. */
export function PlannedWrite({ plan }: { readonly plan: WriteRecord }) {
  const { writing } = useTexts();
  return (
    <div ref={showAtEnd}>
      <Notice tone={plan.warnings.length > 0 ? 'warn' : 'good'} title={writing.planned}>
        <StepList steps={plan.steps} />
        {plan.warnings.map(({ field, message }) => (
          <p key={field}>
            <code>{field}</code>: {message}
          </p>
        ))}
      </Notice>
    </div>
  );
}

/** The form above it is often longer than the dialog. */
function showAtEnd(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' });
}
