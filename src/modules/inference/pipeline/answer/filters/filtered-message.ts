import { type JsonObject, objectOf } from '../../../../codecs/chat/json-values.js';
import type { AssistantMessage, ChatChoice } from '../../../../codecs/chat/chat-completion.js';
import { messagesFieldsOf, withMessagesFields, withoutFields } from '../../../../codecs/chat/messages-fields.js';
import type { AnswerInspection, WholeAnswerText } from '../../../../content/answers/answer-inspection.js';
import { KNOWN_FIELDS } from '../delivered-answer.js';
import {
  callWithoutTexts,
  DETAIL_TEXTS,
  detailWithoutTexts,
  isEnforced,
  isScannedId,
  isScannedName,
  jsonText,
  placeOfBlock,
  PROVIDER_VERDICTS,
  withoutSignature,
} from './answer-fields.js';

/** Takes a text of an answer. @returns what is to stand in its place */
type Replace = (text: WholeAnswerText) => string;

/**
 * What filters make of the choices of a whole answer (docs/interface/content-filters.md#answers).
 *
 * @param isJson whether the content was asked for in JSON
 * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
 */
export async function filteredChoices(
  choices: readonly ChatChoice[],
  inspection: AnswerInspection,
  isJson: boolean,
): Promise<readonly ChatChoice[]> {
  const texts: WholeAnswerText[] = [];
  const written = (replace: Replace): readonly ChatChoice[] =>
    choices.map((choice) => new ReadChoice(choice, isJson, inspection, replace).written());
  written((text) => {
    texts.push(text);
    return text.text;
  });
  const made = (await inspection.whole(texts)).values();
  return written(() => made.next().value!);
}

/** Goes through the texts of a choice, always in the same order. */
class ReadChoice {
  constructor(
    private readonly choice: ChatChoice,
    private readonly isJson: boolean,
    private readonly inspection: AnswerInspection,
    private readonly replace: Replace,
  ) {}

  written(): ChatChoice {
    const { choice } = this;
    const message = this.message();
    const fields = messagesFieldsOf(choice);
    const order = fields['block_order'];
    const written = withMessagesFields({ ...this.around(), message }, fields);
    if (!Array.isArray(order)) return written;
    const blocks = (order as readonly JsonObject[]).map((placed) => {
      const { block } = placed;
      return block === undefined ? placed : { ...placed, block: this.value(placeOfBlock(block), block) };
    });
    return withMessagesFields(written, { ...fields, block_order: blocks });
  }

  /** The choice besides its message and what only the form of Messages has. */
  private around(): Omit<ChatChoice, 'message'> {
    const { choice } = this;
    if (!isEnforced(this.inspection)) return choice;
    const { index, finish_reason, native_finish_reason, logprobs, error } = choice;
    const verdicts = (choice as unknown as JsonObject)[PROVIDER_VERDICTS];
    return {
      index,
      finish_reason,
      native_finish_reason,
      ...(logprobs !== undefined && { logprobs: null }),
      ...(error !== undefined && { error }),
      ...(verdicts !== undefined && { [PROVIDER_VERDICTS]: this.value('response', verdicts) }),
    };
  }

  private message(): AssistantMessage {
    const { message } = this.choice;
    const { content, reasoning, refusal, reasoning_details: details, tool_calls: calls, audio, annotations } = message;
    const shown = this.text(content, this.isJson ? 'tool_arguments' : 'text');
    const isChanged = shown !== content;
    const written = {
      ...message,
      content: shown,
      ...(reasoning !== undefined && { reasoning: this.text(reasoning) }),
      ...(refusal !== undefined && { refusal: this.text(refusal) }),
      ...(details !== undefined && { reasoning_details: details.map((detail) => this.detail(detail)) }),
      ...(calls !== undefined && { tool_calls: calls.map((call) => this.call(call)) }),
      ...(audio !== undefined && { audio: this.audio(audio) }),
    };
    const cited =
      Array.isArray(annotations) && annotations.length > 0 ? this.value('response', annotations) : annotations;
    // Places in a text that has changed would be those of something else.
    const whole =
      annotations === undefined || isChanged ? withoutFields(written, ANNOTATIONS) : { ...written, annotations: cited };
    if (!isEnforced(this.inspection)) return whole;
    // Others may repeat what was taken out.
    return withoutFields(whole, new Set(Object.keys(whole).filter((name) => !KNOWN_FIELDS.has(name))));
  }

  private text<Text>(text: Text, kind: WholeAnswerText['kind'] = 'text'): Text | string {
    return typeof text === 'string' && text !== '' ? this.replace({ place: 'response', kind, text }) : text;
  }

  private value<Value>(place: WholeAnswerText['place'], value: Value): Value {
    return JSON.parse(this.replace(jsonText(place, value))) as Value;
  }

  private detail(detail: JsonObject): JsonObject {
    let written = isEnforced(this.inspection) ? detailWithoutTexts(detail) : detail;
    for (const field of DETAIL_TEXTS) {
      const text = this.text(detail[field]);
      if (typeof text !== 'string') continue;
      written = { ...(text === detail[field] ? written : withoutSignature(written)), [field]: text };
    }
    return written;
  }

  private call(call: NonNullable<AssistantMessage['tool_calls']>[number]): typeof call {
    const { id } = call;
    const { name, arguments: text, ...others } = call.function;
    const ofCall = (word: string): string => this.replace({ place: 'tool_call', kind: 'text', text: word });
    const isStrict = isEnforced(this.inspection);
    return {
      ...(isStrict ? callWithoutTexts(call) : call),
      id: isScannedId(id) ? ofCall(id) : id,
      type: call.type,
      function: {
        ...(isStrict ? {} : others),
        name: isScannedName(name) ? ofCall(name) : name,
        arguments: text === '' ? text : this.replace({ place: 'tool_call', kind: 'tool_arguments', text }),
      },
    };
  }

  /** What was spoken is not given where its transcript has changed. */
  private audio(audio: unknown): unknown {
    const spoken = objectOf(audio);
    if (spoken === undefined) return audio;
    const transcript = this.text(spoken['transcript']);
    return transcript === spoken['transcript'] ? spoken : { ...spoken, transcript, data: '' };
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['annotations']);
