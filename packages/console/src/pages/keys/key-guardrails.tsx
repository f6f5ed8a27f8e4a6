import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { Failure } from '../../components/failure';
import { placeNames, placesOf } from '../../components/filter-places';
import { Section } from '../../components/page';
import type { Schema } from '../../api/types';

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
          <Filters effective={data} />
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

const DOES = { block: 'blocked', redact: 'redacted', flag: 'noted' } as const;

/** What content filters look for in requests and answers of the key, and where. */
function Filters({
  effective: { content_filter_builtins: builtins, content_filters: custom },
}: {
  readonly effective: Schema<'EffectiveGuardrails'>;
}): ReactNode {
  const filters = [
    ...builtins.map((filter) => ({ name: filter.slug, filter })),
    ...custom.map((filter) => ({ name: filter.label ?? filter.pattern, filter })),
  ];
  if (filters.length === 0) return null;
  return (
    <details>
      <summary>Content filters: {filters.length}</summary>
      <ul>
        {filters.map(({ name, filter }, index) => (
          // A filter may do one thing here and another there.
          <li key={index}>
            <code>{name}</code> is {DOES[filter.action]} in {placeNames(placesOf(filter))}
          </li>
        ))}
      </ul>
    </details>
  );
}
