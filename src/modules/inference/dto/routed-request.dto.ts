import { InferenceBody } from '../../../http/input/body-limit.js';
import { AdditionalProperties, type DtoClass } from '../../../http/validation/dto-fields.js';
import { FreeObjectField, ObjectField, TextField } from '../../../http/validation/fields.js';
import { OptionedPreferences, ProviderPreferences } from './provider-preferences.dto.js';

/** What a request that is no conversation says besides its content. Fields that are not named are handed on. */
export abstract class RoutedFields {
  provider?: ProviderPreferences | null;
  user?: string;
  session_id?: string | null;
  trace?: Readonly<Record<string, unknown>> | null;

  readonly [name: string]: unknown;
}

const OPTIONAL = { optional: true, nullable: true } as const;

/** What differs in the {@link RoutedFields} of a request. */
interface RoutedRequestOptions {
  readonly traceName: string;
  /** The class of `provider`. */
  readonly preferences?: DtoClass;
  readonly providerExample?: object;
}

/** Says that a class is the body of an inference request, and declares {@link RoutedFields} behind its own, in which order issues are reported. */
export function RoutedRequest({
  traceName,
  preferences = ProviderPreferences,
  providerExample,
}: RoutedRequestOptions): ClassDecorator {
  const optionsNote = preferences === OptionedPreferences ? '; `options` are for one of them alone' : '';
  const fields = {
    provider: ObjectField(() => preferences, {
      description: `Which providers are tried, and in which order${optionsNote}.`,
      example: providerExample,
      ...OPTIONAL,
    }),
    user: TextField({
      description: "The caller's own name for the end user.",
      example: 'user-4711',
      maxLength: 256,
      optional: true,
    }),
    session_id: TextField({
      description:
        'The session that the request belongs to, as its record has it; it goes before the header `x-session-id`.',
      example: 'session-1',
      maxLength: 256,
      ...OPTIONAL,
    }),
    trace: FreeObjectField({
      description: 'The names of the request in traces.',
      example: { trace_name: traceName },
      ...OPTIONAL,
    }),
  };
  return (type) => {
    for (const [name, declare] of Object.entries(fields)) declare(type.prototype as object, name);
    InferenceBody()(type);
    AdditionalProperties()(type);
  };
}
