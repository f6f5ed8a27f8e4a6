import type { Finding } from '../../../content/content-result.js';
import type { ContentInput } from '../../../generations/content/generation-content.js';
import type { Observation, ObservedGuardrail, ObservedLimit } from '../../../generations/generation-details.js';
import type { BroadcastSelection } from '../../../observability/delivery/selection/broadcast-destinations.service.js';
import type { AskedCounter } from '../../../limits/compiled-limit.js';
import { refusingCounterOf } from '../../../limits/limits.errors.js';
import type { Labels } from '../../../labels/labels.js';
import type { PresetInForce } from '../../../presets/presets-in-force.service.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import type { Conversation } from '../../../routing/sticky-endpoints.js';
import type { Exclusion } from '../../../routing/endpoint-exclusion.js';
import type { ObservingBudget } from '../../../spend/admission-decision.js';
import type { AmountsOfProcess } from '../../../spend/admission-request.js';
import type { MetLimit } from '../../../spend/limits-of-key.js';
import type { RequestWorstCase } from '../admission/request-worst-case.js';
import type { RequestedModel } from '../context/requested-models.js';
import type { RequestInputs } from '../context/request-inputs.js';
import type { Judging } from '../inspectors/judging.js';
import { type JudgingAmounts, judgingAt } from '../inspectors/judging-worst-case.js';
import type { RequestInspection } from '../inspectors/request-inspection.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import type { CarriedThoughts } from '../thoughts/carried-thoughts.js';
import type { Candidate } from './candidate.js';
import type { ArrivedRequest } from './inference-request.js';
import type { PluginStage } from './plugins.js';
import type { PromptMedia } from './prompt-media.js';
import type { RequestSize } from './request-size.js';
import type { RateLevel, RateSubject } from '../../../rates/rate-count.js';

/** A request under a limit of requests or tokens per minute, once it was counted or refused. */
export interface RatedRequest {
  /** Every limit that applies. */
  readonly levels: readonly RateLevel[];
  /** What was counted for it; undefined for a refused request, for which nothing was. */
  readonly counted?: {
    readonly subjects: readonly RateSubject[];
    readonly second: number;
    /** The tokens that it was expected to use. */
    readonly tokens: number;
  };
}

/** An endpoint that was excluded from the candidates. */
export interface ExcludedEndpoint extends CandidateEndpoint {
  /** At least one, the foremost first. */
  readonly reasons: readonly Exclusion[];
}

/** What was reserved for a request (docs/budgets.md#reservations). */
export interface Reservation {
  readonly amounts: AmountsOfProcess;
  /** What it may cost at each candidate. */
  readonly worstCase: RequestWorstCase;
  /** The longest answer that its limits pay for, in tokens; null where it is not capped. */
  readonly cappedTokens: number | null;
}

/**
 * What was decided about a request so far. Each step of the pipeline takes a decision and returns one that says more; what no step
 * has said yet is absent or empty.
 */
export interface Decision<Body> {
  /** The body as it came, then with its preset. */
  readonly body: Body;
  /** The body without what was redacted, and without what its models cannot read. */
  readonly inspected?: Body;
  /** The body as candidates get it: with a longest answer where its limits pay for no longer one. */
  readonly sent?: Body;
  /** Null after the deletion of the default workspace. */
  readonly workspaceId: string | null;
  readonly inputs?: RequestInputs;
  /** How the request was counted; absent where no limits per minute apply. */
  readonly rates?: RatedRequest;
  /** The end user: of the request, else the one that its key is bound to. */
  readonly externalUser: string | null;
  /** Absent for none. */
  readonly labels?: Labels;
  readonly preset?: PresetInForce;
  /** The media of the prompt; absent from an operation that has none. */
  readonly media?: PromptMedia;
  /** The models to try, in order. */
  readonly models: readonly RequestedModel[];
  readonly policy?: CompiledPolicy;
  /** The inspectors of the policy, and what they did; absent where it names none. */
  readonly inspection?: RequestInspection;
  /** The judge models among them; absent where there are none. */
  readonly judging?: Judging;
  /** A limit of spending that is met: only candidates without a price are left. */
  readonly metLimit?: MetLimit;
  readonly findings: readonly Finding[];
  /** What guardrails and limits that only observe would have done. */
  readonly observed: readonly Observation[];
  readonly pluginStages: readonly PluginStage[];
  /** What is logged of the body, where it is. */
  readonly input?: ContentInput;
  /** The destinations that the generation may go to; absent where none gets it. */
  readonly broadcast?: BroadcastSelection;
  /** What destinations are sent of the body, where one of them needs content. */
  readonly broadcastInput?: ContentInput;
  /** The conversation for which the endpoint that answers is remembered. */
  readonly conversation?: Conversation | undefined;
  /** The thoughts of earlier turns that only their providers can read; absent where there are none. */
  readonly thoughts?: CarriedThoughts | undefined;
  /** The endpoints to try, in order. */
  readonly candidates: readonly Candidate[];
  readonly excluded: readonly ExcludedEndpoint[];
  /** What its cost depends on; absent where no limit applies. */
  readonly size?: RequestSize;
  /** Whether limits by condition and group may have counted it. */
  readonly isCounted?: true;
  /** Whether there may be a reservation, also where it is not known. */
  readonly mayBeReserved?: boolean;
  readonly reservation?: Reservation;
  /** Why no candidate is asked: nothing more is decided then. */
  readonly refusal?: Error;
}

/** A decision by which candidates are asked. */
export type Admitted<Body> = Decision<Body> & { readonly sent: Body };

/** The decision about a request of which nothing is known yet but its body. */
export function undecided<Body>(
  { caller, subject }: Pick<ArrivedRequest, 'caller' | 'subject'>,
  body: Body,
): Decision<Body> {
  return {
    body,
    workspaceId: caller.workspaceId,
    externalUser: subject.externalUser,
    models: [],
    findings: [],
    observed: [],
    pluginStages: [],
    candidates: [],
    excluded: [],
  };
}

/** A decision about a request of which nothing is kept, because its content was refused behind the step that decides about that. */
export function withoutContent<Body>(decision: Decision<Body>): Decision<Body> {
  const { input: _, broadcast: __, broadcastInput: ___, ...kept } = decision;
  return kept;
}

/** Whether anything of the content of a request is kept, for its record or for destinations. */
export function keepsContentOf({ input, broadcastInput }: Decision<unknown>): boolean {
  return input !== undefined || broadcastInput !== undefined;
}

/** What judging the answer of a candidate may cost, of what was reserved. @param index of the candidate; -1 for one that is not among them */
export function judgingOf({ worstCase, cappedTokens }: Reservation, index: number): JudgingAmounts | undefined {
  const { judging, namedTokens, byCandidate } = worstCase;
  if (judging === undefined) return undefined;
  const longest = byCandidate.map(([price]) => price!.longestAnswer);
  const tokens = namedTokens ?? Math.min(longest[index] ?? Math.min(...longest), cappedTokens ?? Infinity);
  return judgingAt(judging, tokens);
}

/** What a guardrail that only observes would have done. */
export function observation(
  { id, name }: Pick<ObservedGuardrail, 'id' | 'name'>,
  outcome: ObservedGuardrail['outcome'],
  reason: ObservedGuardrail['reason'],
): ObservedGuardrail {
  return { kind: 'guardrail', id, name, outcome, reason };
}

/** What a limit that only observes would have done. */
export function observationOf(counter: AskedCounter): ObservedLimit {
  const { subject: _, ...limit } = refusingCounterOf(counter);
  return { kind: 'limit', outcome: 'refused', reason: 'limit', ...limit };
}

/** The candidates that limits of candidates leave, and those that they take out. @param indexes of those that are left */
export function leftByLimits(
  { candidates, excluded }: Pick<Decision<unknown>, 'candidates' | 'excluded'>,
  indexes: readonly number[],
): Pick<Decision<unknown>, 'candidates' | 'excluded'> {
  const left = new Set(indexes);
  const takenOut = candidates.filter((_, index) => !left.has(index));
  return {
    candidates: indexes.map((index) => candidates[index]!),
    excluded: [...excluded, ...takenOut.map(({ model, endpoint }) => ({ model, endpoint, reasons: LIMITED }))],
  };
}

const LIMITED = ['spending_limit'] as const;

/** What a decision says of observing guardrails with some more; that of one guardrail about one of its rules is kept once. */
export function alsoObserved(
  { observed }: Pick<Decision<unknown>, 'observed'>,
  more: readonly Observation[],
): Pick<Decision<unknown>, 'observed'> {
  if (more.length === 0) return { observed };
  const isKnown = ({ id, reason }: Observation): boolean =>
    observed.some((one) => one.id === id && one.reason === reason);
  return { observed: [...observed, ...more.filter((one) => !isKnown(one))] };
}

/** What a decision says of observing guardrails with those whose budgets a request does not fit. */
export function withBudgets(
  decision: Pick<Decision<unknown>, 'observed'>,
  budgets: readonly ObservingBudget[],
): Pick<Decision<unknown>, 'observed'> {
  const observed = budgets.map((budget) => observation(budget, budget.isRefusing ? 'refused' : 'excluded', 'budget'));
  return alsoObserved(decision, observed);
}

/** A decision that says more. No literal that begins with a spread makes it (bench/README.md#start-up-memory-size). */
export function saying<Body>(decision: Decision<Body>, more: Partial<Decision<Body>>): Decision<Body> {
  return Object.assign({}, decision, more);
}
