import { FreeObjectField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { listOf, objectOf, reasonOf, textOf } from './answer-parts.js';
import { type InspectionProtocol, isOfAnswer, PASS } from './inspection-protocol.js';

/** The path of the interface below the address of a server. */
const PATH = '/beta/litellm_basic_guardrail_api';

/** The settings of inspectors of the protocol `texts`. */
export class TextsInspectorSettings {
  @FreeObjectField({
    description: 'What every request has as `additional_provider_specific_params`.',
    example: { policy: 'strict' },
    optional: true,
  })
  parameters?: object;
}

/** The generic guardrail interface of LiteLLM, which vendors of guardrails have (docs/interface/inspectors.md#texts). */
export const TEXTS: InspectionProtocol<TextsInspectorSettings> = {
  settings: TextsInspectorSettings,
  most: { texts: Infinity, characters: Infinity },
  isServer: true,
  isSigned: true,
  address: () => undefined,
  key: () => ({ isRequired: false, header: 'x-api-key' }),

  request({ url, settings: { parameters = {} } }, { organizationId, place, texts, context }) {
    const { generationId, sessionId, model } = context;
    return {
      url: url.endsWith(PATH) ? url : `${url}${PATH}`,
      body: {
        texts,
        input_type: isOfAnswer(place) ? 'response' : 'request',
        ...(generationId !== undefined && { litellm_call_id: generationId }),
        ...(sessionId !== undefined && { litellm_trace_id: sessionId }),
        ...(model !== undefined && { model }),
        request_data: {
          user_api_key_org_id: organizationId,
          user_api_key_hash: context.keyHash,
          user_api_key_alias: context.keyName,
          user_api_key_user_id: context.userId,
          user_api_key_team_id: context.workspaceId,
          user_api_key_end_user_id: context.endUser,
        },
        additional_provider_specific_params: { ...parameters, place },
      },
    };
  },

  verdict(answer) {
    const { action, blocked_reason: reason, texts } = objectOf(answer);
    switch (action) {
      case 'NONE':
        return PASS;
      case 'BLOCKED':
        return { verdict: 'block', reason: reasonOf(reason) };
      case 'GUARDRAIL_INTERVENED':
        return {
          verdict: 'change',
          texts: listOf(texts, 'texts').map((text, index) => textOf(text, `texts[${index}]`)),
        };
      default:
        throw new InspectorFailure('action is none of the protocol');
    }
  },
};
