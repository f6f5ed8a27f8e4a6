import type { ErrorKind } from './domain-error.js';
import type { IssueWithReason } from './issue.js';

/** A kind of issue that has a reason of its own. Only files named `*.errors.ts` define them, as they define errors. */
export class IssueKind<Details extends readonly unknown[] = []> implements ErrorKind {
  readonly status = 400;

  /**
   * @param reason the stable code of the case
   * @param message what is wrong, after the path of the field: a text, or made from details of the request
   */
  constructor(
    readonly reason: string,
    private readonly message: string | ((...details: Details) => string),
  ) {}

  /** The issue of a field. @param path the field as the caller wrote it; empty for the whole body */
  at(path: string, ...details: Details): Required<IssueWithReason> {
    const message = typeof this.message === 'string' ? this.message : this.message(...details);
    return { path, message, reason: this.reason };
  }
}
