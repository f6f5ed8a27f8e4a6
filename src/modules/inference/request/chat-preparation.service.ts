import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../../api/errors/bad-request-error.js';
import { INVALID_PARAMETERS, InvalidCredential } from '../../../api/errors/request.errors.js';
import { validateDto } from '../../../api/validation/validate.js';
import { rulesOf } from '../../../api/validation/rules.js';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { ContentBlocked, PromptInjectionDetected } from '../../content/content.errors.js';
import { PresetsService } from '../../presets/presets.service.js';
import { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { DataRegionNotAllowed, ModelMissing, PresetMissing } from '../inference.errors.js';
import { CandidatesService } from './candidates.service.js';
import { type CompiledPolicy, CompiledPolicies } from './compiled-policies.js';
import { findModel, splitPreset } from './model-names.js';
import type { PreparedChat, RequestFacts } from './prepared-chat.js';
import { mergePreset } from './preset-merge.js';
import { type RequestContext, RequestContextRepository } from './request-context.repository.js';
import { textsOf, withTexts } from './scanned-texts.js';

/** Takes a request through everything that comes before a provider is asked (docs/gateway.md). */
@Injectable()
export class ChatPreparationService {
  constructor(
    private readonly contexts: RequestContextRepository,
    private readonly policies: CompiledPolicies,
    private readonly presets: PresetsService,
    private readonly catalog: CatalogService,
    private readonly candidates: CandidatesService,
    private readonly environment: Environment,
  ) {}

  /**
   * @param facts receives what is learned, also when the request is refused
   * @param signal ends the preparation
   * @throws the refusals of docs/interface/inference.md#refusals that come before a provider is asked
   */
  async prepare(
    caller: ApiKeyPrincipal,
    input: ChatCompletionRequest,
    facts: RequestFacts,
    signal: AbortSignal,
  ): Promise<PreparedChat> {
    const context = await this.contexts.ofKey(caller.organizationId, caller.credentialId);
    // The key was deleted after the guard had read it.
    if (context === undefined) throw new InvalidCredential();
    facts.workspaceId = context.workspaceId;
    const body = await this.withPreset(caller, context, input, facts);
    const catalog = await this.catalog.catalog();
    const models = modelNamesOf(body, context).map((name) => findModel(catalog, name));
    facts.models = models;
    facts.model = models[0]!.model.row.id;
    const policy = await this.policies.get(caller.organizationId, caller.credentialId, context.policyVersion);
    this.requireRegion(policy);
    const inspected = await this.inspect(policy, body, facts, signal);
    const candidates = await this.candidates.of({ caller, models, policy, context, body: inspected });
    facts.candidates = candidates;
    return { body: inspected, candidates };
  }

  private async withPreset(
    { organizationId }: ApiKeyPrincipal,
    { workspaceId }: RequestContext,
    input: ChatCompletionRequest,
    facts: RequestFacts,
  ): Promise<ChatCompletionRequest> {
    const named = splitPreset(input.model);
    const slug = named.preset ?? input.preset;
    if (slug === undefined) return input;
    const preset = workspaceId === null ? undefined : await this.presets.inForce(organizationId, workspaceId, slug);
    if (preset === undefined) throw new PresetMissing(slug);
    facts.presetId = preset.id;
    const { model: _model, ...rest } = input;
    const body = mergePreset({ ...rest, ...(named.model !== undefined && { model: named.model }) }, preset);
    const issues = [
      ...validateDto(ChatCompletionRequest, body),
      ...rulesOf(ChatCompletionRequest).flatMap((rule) => rule(body)),
    ];
    if (issues.length > 0)
      throw BadRequestError.of(issues.map(({ path, message }) => INVALID_PARAMETERS.at(path, message)));
    return body as ChatCompletionRequest;
  }

  private requireRegion({ rules }: CompiledPolicy): void {
    const { dataRegion } = this.environment;
    const allowed = rules.allowedDataRegions.value;
    if (allowed !== null && !allowed.includes(dataRegion)) throw new DataRegionNotAllowed(dataRegion);
  }

  private async inspect(
    { content }: CompiledPolicy,
    body: ChatCompletionRequest,
    facts: RequestFacts,
    signal: AbortSignal,
  ): Promise<ChatCompletionRequest> {
    if (content.isEmpty) return body;
    const { blocked, texts, findings } = await content.inspect(textsOf(body), signal);
    facts.findings = findings;
    if (blocked?.reason === 'prompt_injection_detected') throw new PromptInjectionDetected(blocked.patterns ?? []);
    if (blocked !== null) throw new ContentBlocked(blocked.label);
    const isRedacted = findings.some(({ action }) => action === 'redact');
    return isRedacted ? withTexts(body, texts) : body;
  }
}

/** The names of the models to try, in order. @throws ModelMissing */
function modelNamesOf({ model, models = [] }: ChatCompletionRequest, { defaultTextModel }: RequestContext): string[] {
  const names = [...new Set([...(model === undefined ? [] : [model]), ...models])];
  if (names.length > 0) return names;
  if (defaultTextModel === null) throw new ModelMissing();
  return [defaultTextModel];
}
