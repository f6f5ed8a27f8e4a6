import { Injectable } from '@nestjs/common';
import { type AdmissionRequest, AdmissionService } from '../../../spend/admission.service.js';
import { isFree, type WorstCase } from '../../../spend/worst-case.js';
import type { Candidate } from '../request/candidate.js';
import { type Decision, saying } from '../request/decision.js';
import type { InferenceRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
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
   * @returns the decision with the body as it is sent, whose answer is at most as long as what is left of its limits can pay for; or
   * with a refusal, which is what AdmissionService.admit throws
   */
  async admit<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: InferenceRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const body = decision.inspected!;
    if (decision.inputs!.context.limits === null) return saying(decision, { sent: body });
    const size = operation.sizeOf(body);
    const worstCase = worstCaseOf(decision.candidates, {
      size,
      wishes: body,
      at: request.createdAt,
      boundOf: (model) => this.promptTokens.boundOf(request.organizationId, model, size),
    });
    if (isFree(worstCase)) return saying(decision, { size, sent: body });
    // From here on there may be a reservation, whatever happens.
    const limited = saying(decision, { size, mayBeReserved: true });
    try {
      const amounts = await this.admissions.admit(admissionOf(request, decision, worstCase));
      if (amounts.isForFreeOnly === true) {
        return saying(decision, { size, sent: body, candidates: freeOf(decision.candidates) });
      }
      const { cappedTokens } = amounts;
      const sent = cappedTokens === null ? body : operation.withLongestAnswer(body, cappedTokens);
      return saying(limited, { sent, reservation: { amounts, worstCase, cappedTokens } });
    } catch (refusal) {
      return saying(limited, { refusal: refusal as Error });
    }
  }
}

/** The candidates that are asked where limits do not pay for any other. */
function freeOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ endpoint }) => endpoint.hasNoPrice);
}

/** What is asked for when a request is to be sent to its candidates. */
export function admissionOf(
  { id, caller, createdAt, description, http }: InferenceRequest,
  { workspaceId, candidates }: Decision<unknown>,
  worstCase: WorstCase,
): AdmissionRequest {
  return {
    organizationId: caller.organizationId,
    generationId: id,
    keyId: caller.credentialId,
    userId: caller.userId,
    workspaceId,
    createdAt,
    worstCase,
    request: {
      requestId: http.requestId,
      requestedModel: description.requestedModel,
      model: candidates[0]!.model.row.id,
      endpoint: candidates[0]!.endpoint.row.tag,
      apiType: description.apiType,
      streamed: description.streamed,
    },
  };
}
