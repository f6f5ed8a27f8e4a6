import { isHandedOn, isParameter } from '../../request/upstream-request.js';
import {
  either,
  type FieldReader,
  JSON_TEXT,
  known,
  type KnownFields,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  oneOf,
  saidBy,
  unscanned,
} from './field-readers.js';
import { CONTENT, MARK, MESSAGES, NAME } from './message-fields.js';

/** An enum value; validation has checked it. */
export const CHECKED_WORD = unscanned((value) => typeof value === 'string');

/** The name of a beta feature. */
const BETA = /^ *[A-Za-z0-9._-]+ *$/;

/** The header that names beta features. A redacted name has no meaning, so such a feature is not asked for. */
const BETAS: FieldReader = {
  fits: (value) => typeof value === 'string',
  read: (betas: string, place, reader) => {
    const read = reader.replace(betas, 'address', place, true);
    if (read === betas) return betas;
    const names = read.split(',').filter((name) => BETA.test(name));
    return names.length === 0 ? undefined : names.join(',');
  },
};

const FUNCTION = objectWith(known({ name: NAME }));

/** A tool, which the Messages form names itself where it defines it. */
const TOOL = objectWith(
  known({ type: CHECKED_WORD, function: FUNCTION, cache_control: MARK }),
  known({ type: CHECKED_WORD, name: NAME, cache_control: MARK }),
);

const THINKING = objectWith(
  known({
    type: oneOf('enabled', 'adaptive', 'disabled'),
    budget_tokens: NUMBER_OR_BOOLEAN,
    display: oneOf('summarized', 'omitted'),
  }),
);

const REASONING = objectWith(
  known({
    effort: CHECKED_WORD,
    summary: CHECKED_WORD,
    max_tokens: NUMBER_OR_BOOLEAN,
    exclude: NUMBER_OR_BOOLEAN,
    enabled: NUMBER_OR_BOOLEAN,
  }),
  known({ effort: CHECKED_WORD, thinking: THINKING }),
);

const FIELDS: KnownFields = known({
  messages: MESSAGES,
  prediction: saidBy('assistant', objectWith(known({ type: oneOf('content'), content: CONTENT }))),
  tools: listOf(TOOL),
  tool_choice: either(CHECKED_WORD, objectWith(known({ type: oneOf('function'), function: FUNCTION }))),
  response_format: JSON_TEXT,
  reasoning: REASONING,
  cache_control: MARK,
});

/** A field that is not sent to providers, and so not scanned. */
const NOT_SENT = unscanned(() => true);

/** A field that fits no reader of its own: it is scanned as JSON, with all others. Null says nothing, and is not sent. */
const SCANNED_AS_JSON = unscanned(() => false);

/** The fields of a request for a chat. */
export const REQUEST = requestWith(FIELDS, known({ cache_control: MARK, betas: BETAS, context_management: JSON_TEXT }));

/**
 * A request with these fields, and others that providers get. Numbers and switches are not read where the gateway knows what they say.
 *
 * @param ofForm what is known of its fields of the Messages form
 */
export function requestWith(fields: KnownFields, ofForm?: KnownFields): FieldReader {
  const get = (name: string): FieldReader | undefined => {
    const field = fields.get(name);
    if (field !== undefined) return field;
    if (!isHandedOn(name, true)) return NOT_SENT;
    return isParameter(name) ? NUMBER_OR_BOOLEAN : SCANNED_AS_JSON;
  };
  return objectWith({ get }, ofForm);
}
