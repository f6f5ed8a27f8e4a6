import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clientSignal } from '../../../../http/client-signal.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { type ApiKeyPrincipal, shareIdOf } from '../../../../auth/principal.js';
import { type HeldSlot, RequestSlots } from '../../../../http/request-limits/request-slots.js';
import { estimatedPrompt } from '../../pipeline/cost/estimated-tokens.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { OpenRequests } from '../../pipeline/open-requests.js';
import { showRates } from '../../pipeline/rates/rate-headers.js';
import { RequestRates } from '../../pipeline/rates/request-rates.service.js';
import { CHAT } from '../chat/operation.js';
import { Preparation } from '../../pipeline/preparation.service.js';
import { messagesRateHeaders } from './messages-rate-headers.js';
import type { MessageTokenCount } from './dto/messages-response.dto.js';
import { namedSubjectOf } from '../../pipeline/request/request-subject.js';

/**
 * Says how many tokens a request would have, without asking a provider: nothing is sent, charged or recorded
 * (docs/interface/messages.md#counting-tokens).
 */
@Injectable()
export class MessageTokensService {
  constructor(
    private readonly preparation: Preparation,
    private readonly rates: RequestRates,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
  ) {}

  /**
   * Takes a request through the steps that come before a provider is asked, and counts the tokens of what would be sent.
   *
   * @throws what the request itself would be refused with there
   */
  async count(caller: ApiKeyPrincipal, body: ClientChatRequest, response: Response): Promise<MessageTokenCount> {
    const { organizationId } = caller;
    // Work can continue after the client has left.
    const release = (response.req as GatehouseRequest).heldMemory?.keep();
    try {
      return await this.openRequests.run(organizationId, shareIdOf(caller), () =>
        this.slots.run(organizationId, (slot) => this.counted(caller, body, response, slot)),
      );
    } finally {
      release?.();
    }
  }

  private async counted(
    caller: ApiKeyPrincipal,
    body: ClientChatRequest,
    response: Response,
    slot: HeldSlot,
  ): Promise<MessageTokenCount> {
    const http = response.req as GatehouseRequest;
    const bodyBytes = http.heldMemory?.size ?? 0;
    // It gets no record.
    const request = { id: '', caller, subject: namedSubjectOf(body, http), bodyBytes };
    const decision = await this.preparation.decide(CHAT, request, body, { slot, signal: clientSignal(response) });
    // It counts as a request, but has used no tokens.
    await this.rates.settle(caller.organizationId, decision.rates, 0);
    showRates(response, decision.rates, messagesRateHeaders);
    if (decision.refusal !== undefined) throw decision.refusal;
    return { input_tokens: estimatedPrompt({ operation: CHAT, request, decision }) };
  }
}
