import { Injectable } from '@nestjs/common';
import { AdmissionService } from '../../../spend/admission.service.js';
import { isFree } from '../../../spend/worst-case.js';
import type { OpenRequest } from '../request/exchange.js';
import type { PreparedRequest } from '../request/prepared-request.js';
import { PromptTokens } from './prompt-tokens.js';
import { worstCaseOf } from './request-worst-case.js';

/** Admits requests to providers: the last step before one is called (docs/budgets.md#reservations). */
@Injectable()
export class RequestAdmissionService {
  constructor(
    private readonly admissions: AdmissionService,
    private readonly promptTokens: PromptTokens,
  ) {}

  /**
   * Reserves what a request may cost, where a limit applies to it.
   *
   * @returns the request as it is sent: its answer is at most as long as what is left of its limits can pay for
   * @throws what AdmissionService.admit throws
   */
  async admit<Body>({ draft }: OpenRequest, prepared: PreparedRequest<Body>): Promise<PreparedRequest<Body>> {
    const size = prepared.isLimited ? prepared.size() : undefined;
    if (size === undefined) return prepared;
    const worstCase = worstCaseOf(prepared.candidates, {
      size,
      at: draft.createdAt,
      boundOf: (model) => this.promptTokens.boundOf(draft.organizationId, model, size),
    });
    draft.size = size;
    if (isFree(worstCase)) return prepared;
    // From here on there may be a reservation, whatever happens.
    draft.isReserved = true;
    const admitted = await this.admissions.admit(draft.admission(worstCase));
    draft.reserved = admitted;
    draft.worstCase = worstCase;
    const { cappedTokens } = admitted;
    if (cappedTokens !== null) draft.cappedTokens = cappedTokens;
    return cappedTokens === null ? prepared : { ...prepared, body: prepared.withLongestAnswer(cappedTokens) };
  }
}
