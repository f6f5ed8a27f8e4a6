import type { Answer } from '../../support/network/api-client.js';

/** A whole answer, as far as tests look into it. */
export interface WholeAnswer {
  readonly id: string;
  readonly model: string;
  readonly provider: string;
  readonly choices: readonly { readonly message: { readonly content: string | null } & Record<string, unknown> }[];
  readonly usage: { readonly cost: number } & Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** Embeddings, as far as tests look into them. */
export interface EmbeddingsAnswer {
  readonly id: string;
  readonly model: string;
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
  readonly usage: { readonly cost: number } & Record<string, unknown>;
}

/** A chunk of a stream, as far as tests look into it. */
export interface StreamedChunk {
  readonly id: string;
  readonly choices: readonly { readonly delta: Record<string, unknown>; readonly finish_reason: string | null }[];
  readonly usage?: { readonly cost: number } & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly [field: string]: unknown;
}

/** A stream that was read to its end, with the data of its events: parsed, but for `[DONE]`. */
export interface StreamedAnswer extends Answer<string> {
  readonly events: readonly (StreamedChunk | '[DONE]')[];
}

/** The chunks of a stream. */
export function chunksOf({ events }: StreamedAnswer): StreamedChunk[] {
  return events.filter((event) => event !== '[DONE]');
}

/** The text that the chunks of a stream bring. */
export function textOf(answer: StreamedAnswer): string {
  return chunksOf(answer)
    .flatMap(({ choices }) => choices)
    .map(({ delta }) => (delta['content'] as string | undefined) ?? '')
    .join('');
}

/** The data of events. Comments are left out. */
export function eventsOf(text: string): (StreamedChunk | '[DONE]')[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as StreamedChunk)));
}
