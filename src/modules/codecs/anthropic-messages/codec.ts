import { hasAnswerPart } from '../chat/chunk-content.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { refusal } from '../errors/error-object.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { UpstreamCodec } from '../upstream-codec.js';
import { completionOf, countedUsageOf, countsAnswer } from './answer-decoder.js';
import { requestBody } from './request-encoder.js';
import { EventTranslator } from './stream-decoder.js';

/** The Messages API of Anthropic (docs/interface/providers.md#anthropic). */
export const ANTHROPIC_MESSAGES: UpstreamCodec = {
  operation: 'messages',

  countedIn(document) {
    const usage = objectOf(objectOf(document)?.['usage']) ?? {};
    return countedUsageOf(usage, countsAnswer(usage));
  },

  operations: {
    chat: {
      encode(request, isStreamed, adjustments) {
        const betas = nonEmptyText(messagesFieldsOf(request)['betas']);
        return [
          {
            path: '/messages',
            body: requestBody(request, isStreamed, adjustments),
            ...(betas !== undefined && { headers: { 'anthropic-beta': betas } }),
          },
        ];
      },

      decode: ([document]) => completionOf(document),

      streamDecoder(_request, upstream) {
        const translator = new EventTranslator();
        return {
          read(event) {
            // Routers in between send the end of a stream of OpenAI's form, even after the end of this one.
            if (isDone(event) || isBlank(event)) return undefined;
            const document = eventDocument(event, upstream);
            // One with particulars has been thrown.
            if (event.event === 'error' || document['type'] === 'error') throw refusal(undefined, upstream, {});
            return translator.translate(document);
          },
          hasAnswerPart,
          get keptBytes() {
            return translator.keptBytes;
          },
          isLast: (event) => translator.hasStopped || event.event === 'message_stop' || isDone(event),
          hasFinished: () => translator.finished,
          ended() {
            if (!translator.finished) throw brokenOff();
          },
        };
      },
    },
  },
};
