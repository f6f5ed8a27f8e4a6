import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useGuardrailName } from '../api/names';

/** Guardrails by their names, with a comma between them. */
export function GuardrailLinks({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <GuardrailLink id={id} />
    </span>
  ));
}

/** A guardrail by its name; by the end of its id, which tells ids of one minute apart, where it was deleted. */
export function GuardrailLink({ id }: { readonly id: string }): ReactNode {
  const name = useGuardrailName(id);
  return <Link href={`/guardrails/${id}`}>{name ?? `guardrail …${id.slice(-8)}`}</Link>;
}
