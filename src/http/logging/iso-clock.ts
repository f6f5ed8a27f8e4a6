/** The present in ISO 8601 with milliseconds, written out once for all that happens in the same millisecond. */
export class IsoClock {
  private moment = 0;
  private text = '';

  now(): string {
    const moment = Date.now();
    if (moment !== this.moment) {
      this.moment = moment;
      this.text = new Date(moment).toISOString();
    }
    return this.text;
  }
}
