import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ContentModule } from '../content/content.module.js';
import { GenerationsModule } from '../generations/generations.module.js';
import { GuardrailsModule } from '../guardrails/guardrails.module.js';
import { PresetsModule } from '../presets/presets.module.js';
import { ConnectionsModule } from '../providers/connections/connections.module.js';
import { OwnKeysModule } from '../providers/own-keys/own-keys.module.js';
import { ProviderClientsModule } from '../providers/clients/provider-clients.module.js';
import { InspectorsModule } from '../inspectors/inspectors.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ResponseCacheModule } from '../response-cache/response-cache.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { SpendModule } from '../spend/spend.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AdmissionForecastRepository } from './pipeline/admission/admission-forecast.repository.js';
import { AdmissionForecastService } from './pipeline/admission/admission-forecast.service.js';
import { PromptTokens } from './pipeline/admission/prompt-tokens.js';
import { ResponseCaching } from './pipeline/cache/response-caching.service.js';
import { RequestAdmissionService } from './pipeline/admission/request-admission.service.js';
import { ShownRouting } from './pipeline/routing-metadata/shown-routing.service.js';
import { StreamedAnswerService } from './pipeline/answer/streamed-answer.service.js';
import { ThoughtSeals } from './pipeline/thoughts/thought-seals.js';
import { WholeAnswerService } from './pipeline/answer/whole-answer.service.js';
import { AttemptsService } from './pipeline/attempts/attempts.service.js';
import { ChargedAttempts } from './pipeline/attempts/charged-attempts.service.js';
import { ChatCalls } from './pipeline/attempts/chat-calls.js';
import { ProviderCalls } from './pipeline/attempts/provider-calls.js';
import { ChatCompletionsService } from './operations/chat/chat-completions.service.js';
import { DrawnImagesService } from './operations/images/drawn-images.service.js';
import { ImageStreamService } from './operations/images/image-stream.service.js';
import { InferenceMemory } from './memory/inference-memory.js';
import { RequestMemories } from '../../http/input/request-memory.js';
import { ImagesService } from './operations/images/images.service.js';
import { ResultAnswerService } from './pipeline/answer/result-answer.service.js';
import { SpeechService } from './operations/speech/speech.service.js';
import { EvaluationController } from './evaluation/evaluation.controller.js';
import { EvaluationService } from './evaluation/evaluation.service.js';
import { HypotheticalKeysService } from './evaluation/hypothetical-keys.service.js';
import { UnsavedPatternRule } from './evaluation/unsaved-pattern-rule.js';
import { MessageTokensController } from './operations/messages/message-tokens.controller.js';
import { MessageTokensService } from './operations/messages/message-tokens.service.js';
import { MessagesController } from './operations/messages/messages.controller.js';
import { addRequestIdHeader } from './operations/messages/request-id-header.middleware.js';
import { DocumentOperations } from './operations/document-operations.service.js';
import { OPERATION_CONTROLLERS } from './operations/index.js';
import { InferencePipeline } from './pipeline/pipeline.service.js';
import { Preparation } from './pipeline/preparation.service.js';
import { ContentInspection } from './pipeline/content/content-inspection.service.js';
import { RequestInputsService } from './pipeline/context/request-inputs.service.js';
import { OpenExchanges } from './pipeline/open-exchanges.js';
import { OpenRequests } from './pipeline/open-requests.js';
import { RequestRates } from './pipeline/rates/request-rates.service.js';
import { EarlyRefusalsService } from './pipeline/refusals/early-refusals.service.js';
import { RefusalRecordLimit } from './pipeline/refusals/refusal-record-limit.js';
import { ProviderHealthController } from './provider-health/provider-health.controller.js';
import { ProviderHealthService } from './provider-health/provider-health.service.js';
import { PastRequests } from './evaluation/past-requests.service.js';
import { CandidatesService } from './pipeline/candidates/candidates.service.js';
import { CallerContexts } from './pipeline/context/caller-contexts.service.js';
import { CompiledPolicies } from './pipeline/policy/compiled-policies.js';
import { ConversationNames } from './pipeline/candidates/conversation.js';
import { WorkspaceDefaultsHook } from './pipeline/context/workspace-defaults.hook.js';
import { JudgeCalls } from './pipeline/inspectors/judge-calls.service.js';
import { JudgeModels } from './pipeline/inspectors/judge-models.service.js';
import { RequestInspectors } from './pipeline/inspectors/request-inspectors.service.js';
import { RequestContextRepository } from './pipeline/context/request-context.repository.js';
import { CarriedReasoningRule } from './operations/messages/rules/carried-reasoning-rule.js';
import { EmbeddedJsonRule } from './operations/responses/rules/embedded-json-rule.js';
import { SettlementService } from './pipeline/settlement/settlement.service.js';

/** Inference: requests to models, under the policies of their keys. */
@Module({
  imports: [
    CatalogModule,
    ConnectionsModule,
    ContentModule,
    GenerationsModule,
    GuardrailsModule,
    InspectorsModule,
    KeysModule,
    LimitsModule,
    ObservabilityModule,
    OrganizationsModule,
    OwnKeysModule,
    PresetsModule,
    ProviderClientsModule,
    RatesModule,
    ResponseCacheModule,
    RoutingModule,
    SpendModule,
    WorkspacesModule,
  ],
  controllers: [...OPERATION_CONTROLLERS, EvaluationController, ProviderHealthController],
  providers: [
    AdmissionForecastRepository,
    AdmissionForecastService,
    AttemptsService,
    CallerContexts,
    CandidatesService,
    ChatCalls,
    ChatCompletionsService,
    CompiledPolicies,
    DocumentOperations,
    DrawnImagesService,
    EarlyRefusalsService,
    CarriedReasoningRule,
    EmbeddedJsonRule,
    EvaluationService,
    HypotheticalKeysService,
    ImageStreamService,
    ImagesService,
    InferenceMemory,
    { provide: RequestMemories, useExisting: InferenceMemory },
    MessageTokensService,
    ConversationNames,
    ContentInspection,
    InferencePipeline,
    JudgeCalls,
    JudgeModels,
    OpenExchanges,
    PastRequests,
    Preparation,
    RequestInputsService,
    OpenRequests,
    PromptTokens,
    ChargedAttempts,
    ProviderCalls,
    ProviderHealthService,
    RefusalRecordLimit,
    RequestAdmissionService,
    RequestContextRepository,
    RequestInspectors,
    RequestRates,
    ResponseCaching,
    ResultAnswerService,
    SettlementService,
    ShownRouting,
    SpeechService,
    StreamedAnswerService,
    ThoughtSeals,
    UnsavedPatternRule,
    WholeAnswerService,
    WorkspaceDefaultsHook,
  ],
  exports: [
    CallerContexts,
    CompiledPolicies,
    ContentInspection,
    JudgeCalls,
    JudgeModels,
    OpenExchanges,
    OpenRequests,
    PastRequests,
    RefusalRecordLimit,
    RequestInputsService,
    RequestInspectors,
    RequestRates,
    UnsavedPatternRule,
  ],
})
export class InferenceModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(addRequestIdHeader).forRoutes(MessagesController, MessageTokensController);
  }
}
