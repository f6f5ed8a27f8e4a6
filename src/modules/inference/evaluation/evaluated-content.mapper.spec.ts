import type { ClientChatRequest } from '../../codecs/chat/client-request.js';
import { toEvaluatedContent } from './evaluated-content.mapper.js';
import { CHAT } from '../operations/chat/operation.js';
import type { Steps } from '../pipeline/content/fields/place-in-request.js';
import { type EvaluatedRequest, KeptMatches } from './evaluated-request.js';

/** A request whose tool has this name. */
const naming = (name: string, content: string): ClientChatRequest => ({
  messages: [{ role: 'user', content }],
  tools: [{ type: 'function', function: { name } }],
});

/** What is shown as redacted of a request. */
const redactedOf = (body: ClientChatRequest, sent: ClientChatRequest): readonly object[] => {
  const decision = { body, findings: [] } as unknown as EvaluatedRequest<ClientChatRequest>['decision'];
  const asked = { operation: CHAT, body, stepsInRequest: (steps: Steps) => steps };
  const evaluated = { asked, decision, matches: new KeptMatches(), admission: undefined };
  return toEvaluatedContent(evaluated, 'not_needed', sent).redacted_texts;
};

describe('toEvaluatedContent', () => {
  it('shows what was redacted where it stands', () => {
    expect(redactedOf(naming('look up', 'a'), naming('[NAME]', 'b'))).toEqual([
      { path: 'messages[0].content', text: 'b' },
      { path: 'tools[0].function.name', text: '[NAME]' },
    ]);
  });

  it('shows nothing where a text has become a name, which is not read as a text', () => {
    expect(redactedOf(naming('look up', 'a'), naming('NAME', 'b'))).toEqual([]);
  });
});
