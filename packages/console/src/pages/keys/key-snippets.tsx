import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, answered } from '../../api/client';
import { Snippets } from '../../components/snippets';

/** The model that a first request asks: it costs nothing, and needs no provider. */
export const FIRST_MODEL = 'gatehouse/echo';

/** The models that a key can reach; undefined until they are known. */
export function useModelsOf(hash: string): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['guardrails', 'effective', hash],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/guardrails/effective', { params: { query: { key_hash: hash } }, signal })),
  });
  return data?.data.available_models;
}

/** Which of some models is asked where nobody has chosen one. @returns an empty text where there is none */
export function usualModelOf(models: readonly string[]): string {
  return models.includes(FIRST_MODEL) ? FIRST_MODEL : (models[0] ?? '');
}

/** A first request with a new key, as code: with a model that the key can reach. */
export function KeySnippets({ hash }: { readonly hash: string }): ReactNode {
  const models = useModelsOf(hash);
  if (models === undefined) return null;
  return (
    <Snippets chat={{ model: usualModelOf(models) || FIRST_MODEL, messages: [{ role: 'user', content: 'Hello' }] }} />
  );
}
