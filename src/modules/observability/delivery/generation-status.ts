import type { GenerationEvent } from './generation-event.js';

/** Whether a generation has no complete answer. */
export function hasFailed(event: GenerationEvent): boolean {
  return event.error !== null || event.isCancelled;
}

/** The class of what went wrong; undefined where nothing has. */
export function errorTypeOf({ error, isCancelled }: GenerationEvent): string | undefined {
  return error?.type ?? (isCancelled ? 'client_disconnected' : undefined);
}

/**
 * Why a generation failed, as the caller was told it. Where the destination gets no content, only the class and the status, because the
 * message may quote content.
 *
 * @returns undefined where it has not failed
 */
export function statusMessageOf({ error, isCancelled, content }: GenerationEvent): string | undefined {
  if (error !== null) return content === null ? `${error.type} (HTTP ${error.status})` : error.message;
  return isCancelled ? 'The client has disconnected' : undefined;
}
