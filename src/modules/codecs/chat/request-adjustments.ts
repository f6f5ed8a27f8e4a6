import { requestBudget, type WorkBudget } from '../../../http/input/work-budget.js';

/** How a provider gets another request than the client has sent, in one place (docs/interface/capabilities.md#adjustments). */
export interface RequestAdjustment {
  /** Where: names and positions joined by dots, such as `tools.0.function.name`; `*` stands for a name that may be content. */
  readonly path: string;
  readonly action: 'left_out' | 'changed';
  /** Why, as a stable word. */
  readonly reason: string;
}

/** The maximum number of adjustments that are noted; those after it are named together. */
const MAXIMUM_NOTED = 50;

/** The maximum length of a path, in characters. */
const MAXIMUM_PATH = 256;

/** A place in a request: parts joined by dots, or their list. */
export type AdjustedPath = string | readonly (string | number)[];

/** What stands for all adjustments after the last that is noted. */
const FURTHER: RequestAdjustment = { path: '*', action: 'changed', reason: 'further_adjustments' };

/** A part of a path: a position, or a name that is shown. Any other name may be content of the request, which records do not keep. */
const SHOWN_PART = /^(?:\d{1,6}|[A-Za-z_$][\w$]{0,63})$/;

/**
 * Collects what is left out of a request or changed in it, for its record and for the metadata of its routing. The translation of
 * another form adds what holds for every provider; after {@link beginAttempt} what is added holds for one attempt.
 */
export class RequestAdjustments {
  private readonly ofRequest: RequestAdjustment[] = [];
  private ofAttempt: RequestAdjustment[] | undefined;
  private budget: WorkBudget | undefined;

  /** @param bodyBytes the size of the body of the request, of which its budget of work is made */
  constructor(private readonly bodyBytes = 0) {}

  /** What the translation of the request may cost; anew in each attempt. */
  get work(): WorkBudget {
    return (this.budget ??= requestBudget(this.bodyBytes));
  }

  /** What was noted, each place once: of the request, then of the last attempt. */
  get list(): readonly RequestAdjustment[] {
    return [...this.ofRequest, ...(this.ofAttempt ?? [])];
  }

  /** Notes that something is not sent. @param path names that clients choose are given as parts of a list @param reason a word in snake_case that does not change */
  leftOut(path: AdjustedPath, reason: string): void {
    this.add(path, 'left_out', reason);
  }

  /** Notes that something is sent in another form. @param reason as of {@link leftOut} */
  changed(path: AdjustedPath, reason: string): void {
    this.add(path, 'changed', reason);
  }

  /** Begins an attempt: what was noted of the one before does not hold for it. */
  beginAttempt(): void {
    this.ofAttempt = [];
    this.budget = undefined;
  }

  private add(path: AdjustedPath, action: RequestAdjustment['action'], reason: string): void {
    const noted = this.ofAttempt ?? this.ofRequest;
    if (noted.length > MAXIMUM_NOTED) return;
    const adjustment = { path: shownPath(path), action, reason };
    const isKnown = noted.some(
      (other) => other.path === adjustment.path && other.action === action && other.reason === reason,
    );
    if (isKnown) return;
    noted.push(noted.length === MAXIMUM_NOTED ? FURTHER : adjustment);
  }
}

function shownPath(path: AdjustedPath): string {
  const parts = typeof path === 'string' ? path.split('.') : path.map(String);
  const shown = parts.map((part) => (SHOWN_PART.test(part) ? part : '*')).join('.');
  return shown.slice(0, MAXIMUM_PATH);
}
