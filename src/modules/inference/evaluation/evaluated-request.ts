import type { TextMatch } from '../../content/content-result.js';
import type { AdmissionForecast } from '../pipeline/admission/admission-forecast.js';
import type { Decision } from '../pipeline/request/decision.js';
import type { RoutedBody } from '../pipeline/request/operation.js';
import type { ReadRequest } from '../operations/index.js';

/** How many matches are kept. The others are counted. */
const MAXIMUM_MATCHES = 1_000;

/** The matches of content filters in a request that is evaluated. */
export class KeptMatches {
  readonly matches: TextMatch[] = [];
  omitted = 0;

  readonly add = (match: TextMatch): void => {
    if (this.matches.length < MAXIMUM_MATCHES) this.matches.push(match);
    else this.omitted += 1;
  };
}

/** What is learned about a request that is evaluated, up to the step that refuses it. */
export interface EvaluatedRequest<Body extends RoutedBody> {
  readonly asked: ReadRequest<Body>;
  readonly decision: Decision<Body>;
  readonly matches: KeptMatches;
  /** The forecast of the admission; undefined if the request is refused before it. */
  readonly admission: AdmissionForecast | undefined;
}
