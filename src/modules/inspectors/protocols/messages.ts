import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { objectOf, reasonOf } from './answer-parts.js';
import { changedMessages } from './changed-messages.js';
import { type InspectionProtocol, isOfAnswer, NoInspectorSettings, PASS, roleOf } from './inspection-protocol.js';

/** The webhook of agentgateway and kgateway (docs/interface/inspectors.md#messages). */
export const MESSAGES: InspectionProtocol<NoInspectorSettings> = {
  settings: NoInspectorSettings,
  most: { texts: Infinity, characters: Infinity },
  isServer: true,
  isSigned: true,
  address: () => undefined,
  key: () => ({ isRequired: false, header: 'authorization' }),

  request({ url }, input) {
    const role = roleOf(input);
    const messages = input.texts.map((content) => ({ role, content }));
    return isOfAnswer(input.place)
      ? { url: `${url}/response`, body: { body: { choices: messages.map((message) => ({ message })) } } }
      : { url: `${url}/request`, body: { body: { messages } } };
  },

  // Actions have no names: what they are is told by what they have.
  verdict(answer, input) {
    const { body = null, status_code: status = null, reason } = objectOf(objectOf(answer)['action'], 'action');
    if (body === null) {
      if (status !== null) throw new InspectorFailure('action has a status without a body');
      return PASS;
    }
    if (typeof body === 'string') return { verdict: 'block', reason: reasonOf(reason) ?? reasonOf(body) };
    return changedMessages(body, input);
  },
};
