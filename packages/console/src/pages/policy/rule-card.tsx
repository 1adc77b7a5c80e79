import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AddRule } from './add-rule.tsx';

type ToolRule = Shape<'ToolRule'>;

interface NumberedRule {
  readonly number: number;
  readonly rule: ToolRule;
}

const TONES = { allow: 'good', ask: 'warn', deny: 'bad' } as const;

/** The rules of a customer in order; the last one that matches a call decides. */
export function RuleCard({ endCustomerId }: { readonly endCustomerId: string }) {
  const { policy, general, webhooks } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const [isAdding, setAdding] = useState(false);
  const params = { path: { endCustomerId } };
  const key = ['customers', endCustomerId, 'policy'];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () =>
      dataOf<Shape<'ToolPolicy'>>(management.GET('/end-customers/{endCustomerId}/tool-policy', { params })),
  });
  const save = useMutation({
    mutationFn: async (rules: readonly ToolRule[]) =>
      called(management.PUT('/end-customers/{endCustomerId}/tool-policy', { params, body: { rules } as never })),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  const rules = data?.rules ?? [];
  const columns: Column<NumberedRule>[] = [
    { name: policy.number, cell: ({ number }) => number, numeric: true, minor: true },
    { name: general.name, cell: ({ rule }) => rule.name ?? '–', minor: true },
    { name: policy.tool, cell: ({ rule }) => <code>{rule.tool}</code> },
    { name: policy.conditions, cell: ({ rule }) => conditionsOf(rule), minor: true },
    {
      name: policy.effect,
      cell: ({ rule }) => (
        <Badge tone={TONES[rule.effect as keyof typeof TONES]}>{effectOf(rule, policy.effects)}</Badge>
      ),
    },
    {
      name: webhooks.actions,
      actions: true,
      cell: ({ number }) =>
        mayChange && (
          <Button
            small
            look="danger"
            aria-label={`${general.delete}: ${number}`}
            onClick={() => save.mutate(rules.filter((_, index) => index + 1 !== number))}
          >
            {general.delete}
          </Button>
        ),
    },
  ];
  const add = mayChange && data && (
    <Button small onClick={() => setAdding(true)}>
      {policy.add}
    </Button>
  );
  const failure = error ?? save.error;
  return (
    <Card title={policy.rules} actions={add} flush>
      {failure && <ErrorNotice error={failure} onRetry={refetch} />}
      {!data && !error && <Loading lines={3} />}
      {data && rules.length === 0 && <Empty title={policy.noRules}>{policy.noRulesLead}</Empty>}
      {rules.length > 0 && (
        <Table
          label={policy.rules}
          columns={columns}
          rows={rules.map((rule, index) => ({ number: index + 1, rule }))}
          rowKey={({ number }) => String(number)}
        />
      )}
      {isAdding && (
        <AddRule
          onClose={() => setAdding(false)}
          onAdd={(rule) => save.mutate([...rules, rule], { onSuccess: () => setAdding(false) })}
          isSaving={save.isPending}
          error={save.error}
        />
      )}
    </Card>
  );
}

/** What a rule requires besides the tool, as text: `tryton, body.total above 5000`. */
function conditionsOf({ platform, roles = [], when = [] }: ToolRule): string {
  const values = when.map(({ argument, operator, value }) => `${argument} ${operator} ${JSON.stringify(value)}`);
  return [platform, ...roles, ...values].filter(Boolean).join(', ');
}

function effectOf({ effect, approvals = 1 }: ToolRule, names: Readonly<Record<string, string>>): string {
  const name = names[effect] ?? effect;
  return approvals > 1 ? `${name} (${approvals})` : name;
}
