import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../../../api/errors/bad-request-error.js';
import { INVALID_PARAMETERS } from '../../../../api/errors/request.errors.js';
import { validateDto } from '../../../../api/validation/validate.js';
import { rulesOf } from '../../../../api/validation/rules.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { HypotheticalAssignment } from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { PresetsService } from '../../../presets/presets.service.js';
import { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { InvalidModel, PresetMissing } from '../../inference.errors.js';
import { RequestRates } from '../../pipeline/rates/request-rates.service.js';
import { CHAT_REQUEST_FORM } from './chat-request-form.js';
import { splitPreset } from '../../pipeline/context/model-names.js';
import type { PreparedRequest, RequestFacts } from '../../pipeline/request/prepared-request.js';
import { mergePreset } from '../../pipeline/context/preset-merge.js';
import { mediaOf } from '../../pipeline/request/prompt-media.js';
import type { RequestContext } from '../../pipeline/context/request-context.repository.js';
import { RequestPreparationService } from '../../pipeline/request-preparation.service.js';

/** Completes chats with their presets, and prepares them as every request is ({@link RequestPreparationService}). */
@Injectable()
export class ChatPreparationService {
  constructor(
    private readonly requests: RequestPreparationService,
    private readonly rates: RequestRates,
    private readonly presets: PresetsService,
  ) {}

  /**
   * @param facts receives what is learned, also when the request is refused
   * @param signal ends the preparation
   * @param hypothetical an assignment that applies as if it existed
   * @throws the refusals of docs/interface/inference.md#refusals that come before a provider is asked
   */
  async prepare(
    caller: ApiKeyPrincipal,
    input: ChatCompletionRequest,
    facts: RequestFacts,
    signal: AbortSignal,
    hypothetical?: HypotheticalAssignment,
  ): Promise<PreparedRequest<ChatCompletionRequest>> {
    const inputs = await this.requests.readInputs(caller, facts, hypothetical);
    const { context } = inputs;
    // A request that is only tried is not counted.
    if (hypothetical === undefined) await this.rates.count(CHAT_REQUEST_FORM, { caller, context, body: input, facts });
    const body = await this.withPreset(caller, context, input, facts);
    facts.media = mediaOf(body);
    return this.requests.prepare(CHAT_REQUEST_FORM, { caller, inputs, body, facts, signal, hypothetical });
  }

  private async withPreset(
    { organizationId }: ApiKeyPrincipal,
    { workspaceId }: RequestContext,
    input: ChatCompletionRequest,
    facts: RequestFacts,
  ): Promise<ChatCompletionRequest> {
    const named = splitPreset(input.model);
    const slug = named.preset ?? input.preset;
    if (slug === undefined) {
      facts.observer?.completed(input, undefined);
      return input;
    }
    if (slug === '') throw new InvalidModel(input.model!, 'no preset is named');
    const preset = workspaceId === null ? undefined : await this.presets.inForce(organizationId, workspaceId, slug);
    if (preset === undefined) throw new PresetMissing(slug);
    facts.presetId = preset.id;
    const { model: _model, ...rest } = input;
    const model = named.variants === '' ? named.model : variantOf(preset.config['model'], named.variants, input);
    const body = mergePreset({ ...rest, ...(model !== undefined && { model }) }, preset);
    const issues = [
      ...validateDto(ChatCompletionRequest, body),
      ...rulesOf(ChatCompletionRequest).flatMap((rule) => rule(body)),
    ];
    if (issues.length > 0)
      throw BadRequestError.of(issues.map(({ path, message }) => INVALID_PARAMETERS.at(path, message)));
    const completed = body as ChatCompletionRequest;
    facts.observer?.completed(completed, preset);
    return completed;
  }
}

/** The model of a preset, with the variants that a request names after the slug. @throws InvalidModel if the preset names no model */
function variantOf(model: unknown, variants: string, { model: asked = '' }: ChatCompletionRequest): string {
  if (typeof model !== 'string') throw new InvalidModel(asked, 'the preset names no model');
  return `${model}${variants}`;
}
