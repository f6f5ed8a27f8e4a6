import { ExplainedError } from '../../http/errors/define-error.js';
import { CONTEXT_LENGTH_EXCEEDED, errorTypeOf, messageWithWord } from '../../http/errors/error-type.js';
import { availabilityField } from './availability.js';
import { countedExclusions, EXCLUSIONS, EXCLUSIONS_IN_WORDS, type Exclusion } from './endpoint-exclusion.js';

/** Exclusions that a data policy makes. */
const PRIVACY: readonly Exclusion[] = ['data_policy:zdr', 'data_policy:publication', 'data_policy:training'];

/** What the request itself asks of endpoints. */
const CONSTRAINTS: readonly Exclusion[] = [
  'quantization',
  'max_price',
  'context_length',
  'max_tokens',
  'require_parameters',
  'inference_geo',
];

/** Every reason for which each endpoint of the models that a request asked for is excluded. */
type EndpointExclusions = readonly (readonly Exclusion[])[];

/** No endpoint of the models is left (docs/interface/inference.md#excluded-endpoints). */
export class NoEndpoints extends ExplainedError {
  static readonly status: number = 404;
  static readonly reason = 'no_endpoints';
  /** The stable word for the kind of the error. */
  protected static readonly errorType: string = errorTypeOf(404);

  /** @param models the names that the request asked for */
  constructor(models: readonly string[], exclusions: EndpointExclusions) {
    const { status, reason, errorType: word } = new.target;
    const counts = countedExclusions(exclusions);
    // What kind of case it is goes by the reason that weighs most at each endpoint.
    const foremost = EXCLUSIONS.filter((exclusion) => exclusions.some(([first]) => first === exclusion));
    const reasons = counts.map(({ exclusion, count }) => {
      return `${count} ${count === 1 ? 'endpoint' : 'endpoints'} excluded: ${EXCLUSIONS_IN_WORDS[exclusion]}`;
    });
    const areAll = (kind: readonly Exclusion[]): boolean =>
      foremost.length > 0 && foremost.every((exclusion) => kind.includes(exclusion));
    const [first] = areAll(CONSTRAINTS) ? foremost : [];
    const code = areAll(PRIVACY) ? 'privacy_restricted' : 'no_endpoints';
    const message = [`0 endpoints out of ${exclusions.length} are available for ${models.join(', ')}.`, ...reasons];
    super({ status, reason }, messageWithWord(message.join(' '), word), {
      detail: { error_type: word },
      fields: availabilityField(first === undefined ? code : 'constraint_filtered', models, {
        excluded_by: counts.map(({ exclusion }) => exclusion),
        ...(first !== undefined && { constraint: { field: first, detail: EXCLUSIONS_IN_WORDS[first] } }),
      }),
    });
  }
}

/** The prompt is too long for an endpoint that would have answered a shorter one, and no other is left. */
export class PromptTooLong extends NoEndpoints {
  static override readonly status = 400;
  protected static override readonly errorType = CONTEXT_LENGTH_EXCEEDED;
}

/** Why no endpoint is left. @param models the names that the request asked for */
export function noEndpoints(models: readonly string[], exclusions: EndpointExclusions): NoEndpoints {
  const isTooLong = exclusions.some(([reason, ...others]) => reason === 'context_length' && others.length === 0);
  return isTooLong ? new PromptTooLong(models, exclusions) : new NoEndpoints(models, exclusions);
}
