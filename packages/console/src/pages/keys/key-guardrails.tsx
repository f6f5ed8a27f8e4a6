import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';

const THROUGH = {
  workspace: 'the default of its workspace',
  member: 'through its owner',
  key: 'assigned to the key',
  request: 'added',
} as const;

/** The guardrails that apply to a key together, why, and the models that it can reach under them. */
export function KeyGuardrails({ hash }: { readonly hash: string }): ReactNode {
  const effective = useQuery({
    queryKey: ['guardrails', 'effective', hash],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/guardrails/effective', { params: { query: { key_hash: hash } }, signal })),
  });
  const data = effective.data?.data;
  return (
    <Section title="Guardrails that apply">
      <Failure error={effective.error} />
      {data !== undefined && (
        <>
          <ul>
            {data.guardrails.map(({ id, name, applies_through: through }) => (
              <li key={id}>
                <Link href={`/guardrails/${id}`}>{name}</Link> ({through.map((way) => THROUGH[way]).join(', ')})
              </li>
            ))}
          </ul>
          <details>
            <summary>Models that it can reach: {data.available_models.length}</summary>
            <ul className="columns">
              {data.available_models.map((model) => (
                <li key={model}>
                  <code>{model}</code>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </Section>
  );
}
