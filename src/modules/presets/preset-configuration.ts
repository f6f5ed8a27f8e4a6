import type { ReasonedIssue } from '../../http/errors/issue.js';
import { jsonSizeFaults } from '../../http/input/size-rules.js';
import type { PresetInferenceRequest } from './dto/preset-inference.dto.js';
import { systemPromptOf } from './inference-rules.js';

/** What an inference is about and how it is answered, rather than how it is configured. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'stream', 'prompt', 'input']);

/**
 * The largest configuration of a version, its system prompt included, in bytes of JSON: room for a prompt of 40,000 words. A
 * list has a hundred versions.
 */
const MAXIMUM_CONFIGURATION_SIZE = 262_144;

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

/** What is wrong with the size of a configuration. Its path is that of the whole body, most of which it is. */
export function configurationFaults(configuration: PresetConfiguration): ReasonedIssue[] {
  return jsonSizeFaults('', configuration, MAXIMUM_CONFIGURATION_SIZE);
}
