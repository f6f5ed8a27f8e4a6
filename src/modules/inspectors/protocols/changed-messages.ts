import { listOf, objectOf, textOf } from './answer-parts.js';
import { type InspectionInput, isOfAnswer, type Verdict } from './inspection-protocol.js';

/**
 * Reads texts that an inspector has changed from the messages of a request, or from the choices of an answer, as chat completions have them.
 *
 * @throws InspectorFailure for another form
 */
export function changedMessages(document: unknown, { place }: InspectionInput): Verdict {
  const parts = objectOf(document, 'what is changed');
  const messages = isOfAnswer(place)
    ? listOf(parts['choices'], 'choices').map((choice) => objectOf(choice, 'a choice')['message'])
    : listOf(parts['messages'], 'messages');
  const texts = messages.map((message) => textOf(objectOf(message, 'a message')['content'], 'content'));
  return { verdict: 'change', texts };
}
