import { flagOf, objectOf, reasonOf } from './answer-parts.js';
import { changedMessages } from './changed-messages.js';
import { type InspectionProtocol, isOfAnswer, NoInspectorSettings, PASS, roleOf } from './inspection-protocol.js';

/** The webhook of Portkey's guardrails (docs/interface/inspectors.md#portkey). */
export const PORTKEY: InspectionProtocol<NoInspectorSettings> = {
  settings: NoInspectorSettings,
  most: { texts: Infinity, characters: Infinity },
  isServer: true,
  isSigned: true,
  address: () => undefined,
  key: () => ({ isRequired: false, header: 'authorization' }),

  request({ url }, input) {
    const { organizationId, place, texts, context } = input;
    const { generationId, workspaceId, keyName, endUser, model, isStream = false } = context;
    const role = roleOf(input);
    const isAnswer = isOfAnswer(place);
    const messages = texts.map((content) => ({ role, content }));
    const text = texts.join('\n');
    return {
      url,
      body: {
        eventType: isAnswer ? 'afterRequestHook' : 'beforeRequestHook',
        requestType: 'chatComplete',
        request: {
          json: { model, messages: isAnswer ? [] : messages },
          text: isAnswer ? '' : text,
          isStreamingRequest: isStream,
        },
        response: isAnswer
          ? { json: { choices: messages.map((message, index) => ({ index, message })) }, text, statusCode: 200 }
          : { json: {}, text: '', statusCode: null },
        metadata: { organizationId, workspaceId, generationId, keyName, user: endUser, place },
      },
    };
  },

  verdict(answer, input) {
    const { verdict, data, transformedData = null } = objectOf(answer);
    if (!flagOf(verdict, 'verdict')) {
      const { reason, explanation } = typeof data === 'object' && data !== null ? objectOf(data) : {};
      return { verdict: 'block', reason: reasonOf(reason) ?? reasonOf(explanation) };
    }
    if (transformedData === null) return PASS;
    const part = objectOf(transformedData, 'transformedData')[isOfAnswer(input.place) ? 'response' : 'request'] ?? null;
    const json = part === null ? null : (objectOf(part, 'what is changed')['json'] ?? null);
    return json === null ? PASS : changedMessages(json, input);
  },
};
