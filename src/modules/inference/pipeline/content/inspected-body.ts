import type { LongWork } from '../../../../concurrency/long-work.js';
import type { RequestTexts } from './fields/request-texts.js';

/** What filters and inspectors have to know about a body: its texts, and whether it may have some that they cannot read. */
export interface InspectedBody<Body> {
  readonly texts: Pick<RequestTexts<Body>, 'scannedIn' | 'replacedIn'>;
  readonly hidesText: (body: Body, work: LongWork) => Promise<boolean>;
}
