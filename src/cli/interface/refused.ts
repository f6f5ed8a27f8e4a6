import type { Issue } from '../../http/errors/issue.js';

/** A refusal of an operation: nothing was changed. */
export class Refused extends Error {
  /**
   * @param reason the stable code of the case
   * @param metadata of the error: its reason, its issues, its conflicts
   * @param sentence what it means for the caller of a server, where that is the same for every operation
   */
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly metadata: Readonly<Record<string, unknown>>,
    readonly sentence?: string,
  ) {
    super(reason);
  }

  /** The parts of the request that are wrong, one on each line; undefined where it names none. */
  get issues(): string | undefined {
    const issues = (this.metadata['issues'] ?? []) as readonly Issue[];
    if (issues.length === 0) return undefined;
    return issues.map(({ path, message }) => `${path} ${message}`.trim()).join('\n');
  }

  /** What a person reads who has called a command. */
  get explanation(): string {
    return this.sentence ?? this.issues ?? `It is refused: ${this.status} ${this.reason}.`;
  }
}
