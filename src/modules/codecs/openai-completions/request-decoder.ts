import type { ClientChatRequest, ClientCompletionSettings, ClientReasoning } from '../chat/client-request.js';

/** A completion as a client asks for it in the legacy dialect (docs/interface/completions.md). */
export interface CompletionRequest extends ClientCompletionSettings {
  readonly prompt: string | readonly [string];
  readonly n?: number | null;
  readonly best_of?: number | null;
  readonly suffix?: string | null;
  readonly logprobs?: number | null;
  readonly echo?: boolean | null;
  readonly reasoning?: ClientReasoning | null;
}

/** The fields that both forms have, with the same meaning. */
const SHARED_FIELDS = [
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'inference_geo',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'top_a',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'seed',
  'stop',
  'logit_bias',
  'n',
  'reasoning',
  'service_tier',
  'session_id',
  'prompt_cache_key',
  'user',
  'metadata',
  'trace',
] as const satisfies readonly (keyof CompletionRequest)[];

/**
 * Writes a completion as a chat completion, which goes through the same steps: the prompt is the one message of a user
 * (docs/interface/completions.md#prompt). A field that is absent stays absent.
 *
 * @param request as its class allows it
 */
export function chatRequestOfCompletions(request: CompletionRequest): ClientChatRequest {
  const { prompt, logprobs } = request;
  return {
    ...Object.fromEntries(SHARED_FIELDS.flatMap((name) => (name in request ? [[name, request[name]]] : []))),
    ...(typeof logprobs === 'number' && { logprobs: true, top_logprobs: logprobs }),
    messages: [{ role: 'user', content: typeof prompt === 'string' ? prompt : prompt[0] }],
  };
}

/** The prompt as it was sent: with the texts of placeholders where content filters redacted. It is the last message, after those of a preset. */
export function sentPromptOf({ messages }: ClientChatRequest): string {
  return messages.at(-1)!.content as string;
}
