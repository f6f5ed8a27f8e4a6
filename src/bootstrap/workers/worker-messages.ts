import type { RunningService } from '../running-service.js';

/** What a worker tells the process that has started it, once: that it answers, and what an operator has to know of the start. */
export interface Listening extends Pick<RunningService, 'port' | 'createdOrganization' | 'signInPath'> {
  readonly gatehouse: 'listening';
}

/** Other messages come the same way. */
export function isListening(message: unknown): message is Listening {
  return typeof message === 'object' && message !== null && 'gatehouse' in message && message.gatehouse === 'listening';
}
