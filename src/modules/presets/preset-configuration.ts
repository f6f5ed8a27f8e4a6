import type { PresetInferenceRequest } from './dto/preset-inference.dto.js';
import { systemPromptOf } from './inference-rules.js';

/** What an inference is about and how it is answered, rather than how it is configured. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'stream', 'prompt', 'input']);

/** A configuration to be kept as a version of a preset. */
export interface PresetConfiguration {
  readonly config: object;
  readonly systemPrompt: string | null;
}

/** What of the body of an inference a preset keeps. */
export function configurationOf(body: PresetInferenceRequest): PresetConfiguration {
  const kept = Object.entries(body).filter(([name]) => !CONTENT.has(name));
  return { config: Object.fromEntries(kept), systemPrompt: systemPromptOf(body.messages ?? []) };
}
