import { newGenerationId } from '../../../../src/modules/inference/pipeline/request/generation-id.js';
import type { AdmissionRequest } from '../../../../src/modules/spend/admission-request.js';
import { AdmissionService } from '../../../../src/modules/spend/admission.service.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import type { TestApplication } from '../../../support/application/test-application.js';

/** Whose request it is. */
type Spender = Pick<AdmissionRequest, 'organizationId' | 'keyId' | 'userId' | 'workspaceId'>;

/** The present second: the name of a generation says that of its request. */
export const thisSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000);

/** A request that is to be admitted: it costs one dollar, unless the fields say otherwise. */
export function directRequest(spender: Spender, fields: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const { createdAt = thisSecond() } = fields;
  const candidate = { fixed: unitsOf('1'), perToken: 1n, longestAnswer: 100, isByok: false };
  return {
    ...spender,
    generationId: newGenerationId(createdAt.getTime()),
    createdAt,
    worstCase: { candidates: [candidate], namedTokens: 0 },
    limitsVersion: 'as they are',
    request: {
      requestId: 'request',
      requestedModel: 'acme/writer',
      model: 'acme/writer',
      apiType: 'completions',
      streamed: false,
    },
    ...fields,
  };
}

/** The worst case of a request that costs so much, whatever it answers. @param dollars decimal text */
export function worstCaseFor(dollars: string): AdmissionRequest['worstCase'] {
  return { candidates: [{ fixed: unitsOf(dollars), perToken: 1n, longestAnswer: 100, isByok: false }], namedTokens: 0 };
}

/** Admits a request, without a request over HTTP. */
export function admitDirectly(app: TestApplication, request: AdmissionRequest): ReturnType<AdmissionService['admit']> {
  return app.application.get(AdmissionService).admit(request);
}
