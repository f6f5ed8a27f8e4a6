import { defineExplainedError, defineRetryLaterError, ExplainedError } from '../../http/errors/define-error.js';
import type { ErrorKind } from '../../http/errors/domain-error.js';
import { messageWithWord } from '../../http/errors/error-type.js';
import { RequestTooComplex } from '../../http/errors/request.errors.js';
import {
  ContentBlocked,
  ContentFilterUnavailable,
  PromptInjectionDetected,
  TooManyContentScans,
} from '../content/content.errors.js';
import type { RefusalByRules } from '../guardrails/refusing-guardrails.js';
import { MASKED_FAILURE } from '../codecs/errors/shown-error.js';
import type { ProviderError } from '../codecs/errors/provider-error.js';
import { refusalTypeOf } from '../codecs/errors/refusal-type.js';
import { RATE_REFUSALS } from '../rates/rates.errors.js';
import { availabilityField } from '../routing/availability.js';
import { NoEndpoints, PromptTooLong } from '../routing/routing.errors.js';
import { COUNTER_REFUSALS, MISSING_GROUP_VALUE } from '../limits/limits.errors.js';
import { InsufficientBudget, MET_LIMIT_REFUSALS } from '../spend/spend.errors.js';

/** The request names no model, nor does its preset or its workspace. */
export class ModelMissing extends defineExplainedError(400, 'model_missing') {
  constructor() {
    super('No model is given, and the workspace has no default model.');
  }
}

/** The process stops, and its time for requests in progress is over (docs/operations.md#shutdown). */
export class ServiceStopping extends defineExplainedError(503, 'service_stopping') {
  constructor() {
    super('The gateway is being stopped: send the request again.', { retryAfterSeconds: 1 });
  }
}

/** The open inference requests hold as much memory as they may: those of the key, of the organization, or all together. */
export class TooMuchInferenceMemory extends defineRetryLaterError(429, 'too_much_inference_memory') {}

/** An answer was ended, because the answers of its organization or of its key had no more memory, and it had most of it. */
export class AnswerMemoryExhausted extends defineRetryLaterError(503, 'answer_memory_exhausted') {}

/** A name leads to no model. */
export class InvalidModel extends defineExplainedError(400, 'model_not_found') {
  /** @param why for people, where there is more to say than that there is none */
  constructor(name: string, why?: string) {
    const message = `${name} is not a valid model ID`;
    super(why === undefined ? message : `${message}: ${why}`, { fields: availabilityField('model_not_found', [name]) });
  }
}

/** A model is not one for the operation (docs/interface/inference.md#models). */
export class WrongEndpoint extends defineExplainedError(400, 'wrong_endpoint') {
  constructor(name: string) {
    super(`${name} is not a model for this operation`, {
      fields: availabilityField('wrong_endpoint', [name]),
    });
  }
}

/** Content filters apply, and a part of the request may be text that they cannot read. */
export class InputNotScannable extends defineExplainedError(403, 'input_not_scannable') implements RefusalByRules {
  constructor(readonly guardrailIds: readonly string[] = []) {
    super(
      'Request blocked: content filters apply to this key, and they can read neither tokens nor files of text in base64, nor media that are not in base64. Send texts as text.',
    );
  }
}

/** The request comes back to this deployment again and again (docs/interface/inference.md#loops). */
export class RequestLoop extends defineExplainedError(400, 'request_loop') {
  constructor() {
    super(
      'Loop detected: this request has come through this gateway twice before. The address of a provider leads back to it, so that it would ask itself for ever.',
    );
  }
}

/** The request names another end user than the one that its key is bound to. */
export class EndUserNotAllowed extends defineExplainedError(403, 'end_user_not_allowed') {
  constructor() {
    super('This key is bound to another end user than the request names.');
  }
}

/** The workspace of the key has no active preset of this slug. */
export class PresetMissing extends defineExplainedError(404, 'preset_not_found') {
  constructor(slug: string) {
    super(`Preset ${slug} not found`);
  }
}

/** A guardrail does not allow the region of this deployment. */
export class DataRegionNotAllowed
  extends defineExplainedError(403, 'data_region_not_allowed')
  implements RefusalByRules
{
  /** @param models that the request asked for */
  constructor(
    region: string,
    models: readonly string[],
    readonly guardrailIds: readonly string[],
  ) {
    const fields = availabilityField('region_restricted', models, { excluded_by: ['data_region'] });
    super(`Requests may not be processed in the data region ${region}.`, {
      detail: { data_region: region },
      fields,
    });
  }
}

/** Every provider that was asked had too many requests. */
export class ProvidersRateLimited extends defineExplainedError(429, 'provider_rate_limited') {}

/** Every provider that was asked failed. */
export class ProvidersUnavailable extends defineExplainedError(503, 'provider_unavailable') {
  /** Who failed, and how: a stack of the gateway explains nothing of that. */
  override get logged(): Readonly<Record<string, unknown>> {
    return { type: this.name, message: this.reason, previous_errors: this.metadata['previous_errors'] };
  }
}

/** No provider that was asked has answered in time, to a request that may take long by its nature. */
export class ProvidersTimedOut extends defineExplainedError(504, 'provider_timed_out') {}

/** What attempts end with that took too long, as `previous_errors` name it. */
const TIMEOUTS: ReadonlySet<unknown> = new Set(['timeout', 408, 504, 524]);

/** The error of a request whose providers have all taken too long; any other error is the same. */
export function timedOut(error: unknown): unknown {
  if (!(error instanceof ProvidersUnavailable)) return error;
  const failures = error.metadata['previous_errors'] as readonly { readonly code: unknown }[];
  if (!failures.every(({ code }) => TIMEOUTS.has(code))) return error;
  return new ProvidersTimedOut('No provider has answered in time: try a shorter recording, or another provider.', {
    detail: { previous_errors: failures },
  });
}

/** The statuses of a provider's refusal that are passed on, besides 400. */
const PASSED_ON = [403, 404, 405, 409, 410, 413, 415, 422, 424, 425, 451];

/** The provider that was asked last refused the request, with a status of its own. */
export const PROVIDER_REFUSALS: readonly ErrorKind[] = PASSED_ON.map((status) => ({
  status,
  reason: 'provider_refused_request',
}));

/** The provider that was asked last refused the request itself, which the caller can change. */
export class ProviderRefusedRequest extends ExplainedError {
  /** The status is the provider's own where it is passed on, else 400; the message is the provider's. */
  constructor(error: ProviderError, provider: string) {
    const passedOn = PROVIDER_REFUSALS.find(({ status }) => status === error.status);
    const kind = passedOn ?? { status: 400, reason: 'provider_refused_request' };
    const word = refusalTypeOf(error, kind.status);
    const detail = {
      error_type: word,
      provider_name: provider,
      ...(error.code !== null && { provider_code: error.code }),
      ...(error.filtered.length > 0 && { reasons: error.filtered }),
    };
    super(kind, messageWithWord(error.message, word), { detail });
  }
}

/** The provider gave its answer up, and the form of the client has no word for that (docs/interface/messages.md#answers). */
export class GenerationFailed extends defineExplainedError(502, 'generation_failed') {
  constructor() {
    super(MASKED_FAILURE);
  }
}

/** The organization has as many inference requests open as it may. */
export class TooManyOpenRequests extends defineRetryLaterError(429, 'too_many_open_inference_requests') {}

/** What a request of every inference operation can be refused with. */
export const REFUSALS_OF_EVERY_OPERATION: readonly ErrorKind[] = [
  ...RATE_REFUSALS,
  InvalidModel,
  WrongEndpoint,
  RequestLoop,
  RequestTooComplex,
  EndUserNotAllowed,
  InsufficientBudget,
  ...MET_LIMIT_REFUSALS,
  ...COUNTER_REFUSALS,
  MISSING_GROUP_VALUE,
  ContentBlocked,
  PromptInjectionDetected,
  DataRegionNotAllowed,
  InputNotScannable,
  NoEndpoints,
  PromptTooLong,
  ...PROVIDER_REFUSALS,
  ProvidersRateLimited,
  ProvidersUnavailable,
  ContentFilterUnavailable,
  TooManyContentScans,
  TooManyOpenRequests,
  TooMuchInferenceMemory,
  ServiceStopping,
  AnswerMemoryExhausted,
];
