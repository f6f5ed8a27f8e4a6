import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ContentModule } from '../content/content.module.js';
import { GenerationsModule } from '../generations/generations.module.js';
import { GuardrailsModule } from '../guardrails/guardrails.module.js';
import { PresetsModule } from '../presets/presets.module.js';
import { ConnectionsModule } from '../providers/connections/connections.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { OwnKeysModule } from '../providers/own-keys/own-keys.module.js';
import { ProtocolsModule } from '../providers/protocols/protocols.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { SpendModule } from '../spend/spend.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AdmissionForecastRepository } from './admission/admission-forecast.repository.js';
import { AdmissionForecastService } from './admission/admission-forecast.service.js';
import { PromptTokens } from './admission/prompt-tokens.js';
import { RequestAdmissionService } from './admission/request-admission.service.js';
import { ShownRouting } from './answer/shown-routing.service.js';
import { EmbeddingsAnswerService } from './answer/embeddings-answer.service.js';
import { StreamedAnswerService } from './answer/streamed-answer.service.js';
import { WholeAnswerService } from './answer/whole-answer.service.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { GivenUpAttempts } from './attempts/given-up-attempts.service.js';
import { ProviderCalls } from './attempts/provider-calls.js';
import { ChatCompletionsController } from './chat-completions.controller.js';
import { ChatCompletionsService } from './chat-completions.service.js';
import { CompletionsController } from './completions/completions.controller.js';
import { EmbeddingsController } from './embeddings.controller.js';
import { EmbeddingsService } from './embeddings.service.js';
import { EvaluationController } from './evaluation/evaluation.controller.js';
import { EvaluationService } from './evaluation/evaluation.service.js';
import { HypotheticalKeysService } from './evaluation/hypothetical-keys.service.js';
import { ExchangesService } from './exchanges.service.js';
import { MessageTokensController } from './messages/message-tokens.controller.js';
import { MessageTokensService } from './messages/message-tokens.service.js';
import { MessagesController } from './messages/messages.controller.js';
import { PresetMessagesController } from './messages/preset-messages.controller.js';
import { addRequestIdHeader } from './messages/request-id-header.middleware.js';
import { OpenExchanges } from './open-exchanges.js';
import { OpenRequests } from './open-requests.js';
import { RequestRates } from './rates/request-rates.service.js';
import { EarlyRefusalsService } from './refusals/early-refusals.service.js';
import { RefusalRecordLimit } from './refusals/refusal-record-limit.js';
import { CandidatesService } from './request/candidates.service.js';
import { ChatPreparationService } from './request/chat-preparation.service.js';
import { CallerContexts } from './request/caller-contexts.service.js';
import { CompiledPolicies } from './request/compiled-policies.js';
import { ConversationNames } from './request/conversation.js';
import { RequestContextRepository } from './request/request-context.repository.js';
import { RequestPreparationService } from './request/request-preparation.service.js';
import { PresetResponsesController } from './responses/preset-responses.controller.js';
import { ResponsesController } from './responses/responses.controller.js';
import { CarriedReasoningRule } from './messages/rules/carried-reasoning-rule.js';
import { EmbeddedJsonRule } from './responses/rules/embedded-json-rule.js';
import { SettlementService } from './settlement/settlement.service.js';

/** Inference: requests to models, under the policies of their keys. */
@Module({
  imports: [
    CatalogModule,
    ConnectionsModule,
    ContentModule,
    GenerationsModule,
    GuardrailsModule,
    KeysModule,
    OrganizationsModule,
    OwnKeysModule,
    PresetsModule,
    ProtocolsModule,
    RatesModule,
    RoutingModule,
    SpendModule,
    WorkspacesModule,
  ],
  controllers: [
    ChatCompletionsController,
    CompletionsController,
    EmbeddingsController,
    EvaluationController,
    MessageTokensController,
    MessagesController,
    PresetMessagesController,
    PresetResponsesController,
    ResponsesController,
  ],
  providers: [
    AdmissionForecastRepository,
    AdmissionForecastService,
    AttemptsService,
    CallerContexts,
    CandidatesService,
    ChatCompletionsService,
    ChatPreparationService,
    CompiledPolicies,
    EarlyRefusalsService,
    CarriedReasoningRule,
    EmbeddedJsonRule,
    EmbeddingsAnswerService,
    EmbeddingsService,
    EvaluationService,
    ExchangesService,
    HypotheticalKeysService,
    MessageTokensService,
    ConversationNames,
    OpenExchanges,
    OpenRequests,
    PromptTokens,
    GivenUpAttempts,
    ProviderCalls,
    RefusalRecordLimit,
    RequestAdmissionService,
    RequestContextRepository,
    RequestPreparationService,
    RequestRates,
    SettlementService,
    ShownRouting,
    StreamedAnswerService,
    WholeAnswerService,
  ],
})
export class InferenceModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(addRequestIdHeader).forRoutes(MessagesController, MessageTokensController);
  }
}
