import type { ScannedText } from '../../../../content/content-result.js';

/** Names of fields and positions in lists, from the request on. */
export type Steps = readonly (string | number)[];

/** A place in a request. Its steps are put together only when they are asked for, which is seldom. */
export class PlaceInRequest {
  private constructor(
    /** Who says what stands there. */
    readonly role: ScannedText['role'],
    private readonly parent?: PlaceInRequest,
    private readonly step?: string | number,
  ) {}

  /** The request itself, which counts as the system's. */
  static ofRequest(): PlaceInRequest {
    return new PlaceInRequest('system');
  }

  /** A place inside this one. */
  at(step: string | number): PlaceInRequest {
    return new PlaceInRequest(this.role, this, step);
  }

  /** This place, as said by another role. */
  as(role: ScannedText['role']): PlaceInRequest {
    return new PlaceInRequest(role, this.parent, this.step);
  }

  get steps(): Steps {
    return this.parent === undefined ? [] : [...this.parent.steps, this.step!];
  }
}
