import type { Outcome } from './caller.js';

/** What the answer to a request says of itself. */
export interface Answered {
  readonly id: string;
  readonly costUsd: number;
}

/** What an answer that has come to its end says of itself; undefined for every other. */
export function answeredIn({ status, text }: Outcome): Answered | undefined {
  if (status !== 200) return undefined;
  const isStream = text.startsWith('data:') || text.startsWith(':');
  if (isStream && !text.includes('data: [DONE]')) return undefined;
  const documents = isStream ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, line]) => line!) : [text];
  const last = JSON.parse(documents.at(-1)!) as { id: string; usage: { cost: number } };
  return { id: last.id, costUsd: last.usage.cost };
}
