import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { translatedRequest, type TranslatedRequest } from '../../../codecs/capabilities/translated-request.js';
import { ProviderClients } from '../../../providers/clients/provider-clients.service.js';
import type { Candidate } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';
import type { CallingRequest, InferenceRequest } from '../request/inference-request.js';
import type { ProviderCallOf } from '../request/operation.js';
import { upstreamRequestFor } from '../request/upstream-request.js';
import { AnsweredCalls, NamedStream, withOwnCalls } from './named-calls.js';
import { ObservedStream } from './observed-stream.js';
import { askerOf, type Asking, ProviderCalls } from './provider-calls.js';

/** How a chat is asked for, and the thoughts of earlier turns that it carries. */
type AskingChat = Asking & Pick<Decision<unknown>, 'thoughts'>;

const CHAT_CALL: ProviderCallOf<'chat'> = {
  name: 'chat',
  absence: 'The protocol of the provider has no chats.',
  reportOf: ({ choices, ...answer }) => ({
    ...answer,
    finishReasons: choices.map(({ finish_reason: reason }) => reason),
  }),
  observed: (chunks, call) => new ObservedStream(chunks, call),
};

/** Asks providers for answers to chats: in the dialect that each request needs, and with the client's own names of tools. */
@Injectable()
export class ChatCalls {
  constructor(
    private readonly providers: ProviderClients,
    private readonly calls: ProviderCalls,
  ) {}

  /**
   * Asks for a whole answer.
   *
   * @param request that the call is for
   * @throws ProviderError, or the reason of the signal
   */
  complete(
    candidate: Candidate,
    body: ClientChatRequest,
    request: CallingRequest,
    asking: AskingChat,
  ): Promise<ChatCompletion> {
    return this.calls.timed(CHAT_CALL, candidate, request, async () => {
      const asker = askerOf(request, asking);
      const { dialect, request: translated, names } = translatedFor(candidate, body, asking, request.adjustments);
      const answer = await this.providers.of(dialect).whole('chat', candidate.connection, translated, asker);
      return withOwnCalls(answer, new AnsweredCalls(names, body.messages));
    });
  }

  /** Asks for a stream, which throws as {@link complete} does. */
  stream(
    candidate: Candidate,
    body: ClientChatRequest,
    request: CallingRequest,
    asking: AskingChat,
  ): AsyncIterable<ChatChunk, void> {
    return this.calls.timedStream(CHAT_CALL, candidate, request, () => {
      const asker = askerOf(request, asking);
      const { dialect, request: translated, names } = translatedFor(candidate, body, asking, request.adjustments);
      const streamed = this.providers.of(dialect).stream('chat', candidate.connection, translated, asker);
      const calls = new AnsweredCalls(names, body.messages);
      return calls.areUnchanged ? streamed : new NamedStream(streamed, calls);
    });
  }

  /** The body with which {@link stream} asks a candidate. @throws ProviderError */
  streamBody(
    candidate: Candidate,
    body: ClientChatRequest,
    { bodyBytes }: InferenceRequest,
    asking: Pick<AskingChat, 'thoughts'>,
  ): object {
    const adjustments = new RequestAdjustments(bodyBytes);
    const { dialect, request } = translatedFor(candidate, body, asking, adjustments);
    return this.providers.of(dialect).streamBody(candidate.connection, request, adjustments);
  }
}

/** The request for a candidate, as its model and provider take it, with the thoughts that the candidate may have. */
function translatedFor(
  candidate: Candidate,
  body: ClientChatRequest,
  { thoughts }: Pick<AskingChat, 'thoughts'>,
  adjustments: RequestAdjustments,
): TranslatedRequest {
  const given = thoughts === undefined ? body : thoughts.bodyFor(body, candidate.connection, adjustments);
  return translatedRequest(upstreamRequestFor(given, candidate, adjustments), candidate, adjustments);
}
