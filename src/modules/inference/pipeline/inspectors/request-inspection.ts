import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import { type AnswerJudge, type JudgedPiece, judgedInTurn } from '../../../content/answers/answer-judge.js';
import { AnswerRefused } from '../../../content/answers/answer-text.js';
import { ContentFilterUnavailable } from '../../../content/content.errors.js';
import { ANSWER_PLACES, appliesTo, type FilterPlace, REQUEST_PLACES } from '../../../content/content-filters.js';
import type { Refusal, ScannedText } from '../../../content/content-result.js';
import type { RecordedJudgement } from '../../../generations/generation-details.js';
import type { InspectorJudge } from '../../../inspectors/judging/inspector-judge.js';
import type { AskModel, Judgement, ReadyInspector } from '../../../inspectors/judging/judgement.js';
import type { InspectionContext, InspectionInput, Verdict } from '../../../inspectors/protocols/inspection-protocol.js';
import { textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import { JudgingAccount } from './judging-account.js';

/** The failure of an inspector that makes no JSON of what was JSON. */
const NO_JSON = { outcome: 'failed', failure: 'the changed text is no JSON' } as const;

/** What is told of a question to a judge model. */
export interface AskingJudge {
  /** A provider is asked. */
  readonly asked: () => void;
  /** @param units what it cost, in the smallest units of a US dollar */
  readonly charged: (units: bigint) => void;
  /** What was reserved does not pay for it, so that it is not asked. */
  readonly unpaid: () => void;
}

/** Asks a judge model about texts. @throws InspectorFailure, the reason of the signal */
export type AskJudge = (input: InspectionInput, signal: AbortSignal, asking: AskingJudge) => Promise<Verdict>;

/** The inspectors of the policy of one request, and what they did (docs/interface/inspectors.md#judging). */
export class RequestInspection {
  /** What judge models cost. */
  readonly account = new JudgingAccount();
  private readonly judgements = new Map<string, RecordedJudgement>();
  /** Judge models judge behind all others, and change nothing. */
  private readonly inspectors: readonly ReadyInspector[];
  private askModels: ReadonlyMap<string, AskJudge> = new Map();

  /** @param context what inspectors are told of the request */
  constructor(
    private readonly judge: InspectorJudge,
    inspectors: readonly ReadyInspector[],
    private readonly context: InspectionContext,
  ) {
    this.inspectors = [...inspectors.filter((one) => !isModel(one)), ...inspectors.filter(isModel)];
  }

  /** Those that are judge models. */
  get models(): readonly ReadyInspector[] {
    return this.inspectors.filter(isModel);
  }

  /** Says how judge models are asked, by the ids of their inspectors. */
  asksModels(ask: ReadonlyMap<string, AskJudge>): void {
    this.askModels = ask;
  }

  /** What inspectors have done so far: each once for each place and outcome. */
  get recorded(): readonly RecordedJudgement[] {
    return [...this.judgements.values()];
  }

  /** Whether any of them judges texts of requests. */
  get isOfRequests(): boolean {
    return this.inspectors.some(({ appliesTo: places }) => appliesTo({ applies_to: places }, REQUEST_PLACES));
  }

  /** Whether what cannot be read of a request is refused: one of them that judges requests would let it pass unseen. */
  get refusesUnread(): boolean {
    return this.judging('request').some(({ mode, onFailure }) => mode === 'enforce' && onFailure === 'block');
  }

  /** Those that judge answers. @param withModels whether judge models are among them */
  judges(withModels = true): readonly AnswerJudge[] {
    return this.inspectors
      .filter((inspector) => withModels || !isModel(inspector))
      .filter(({ appliesTo: places }) => appliesTo({ applies_to: places }, ANSWER_PLACES))
      .map((inspector) => ({
        places: new Set(ANSWER_PLACES.filter((place) => appliesTo({ applies_to: inspector.appliesTo }, [place]))),
        isEnforcing: inspector.mode === 'enforce',
        window: inspector.window,
        judge: (place, pieces, signal) => this.judged(inspector, place, pieces, signal),
      }));
  }

  /**
   * Has texts of a request judged by one inspector after the other: those that are servers, or the judge models.
   *
   * @returns what is to stand in their places
   * @throws AnswerRefused for what one of them blocks
   * @throws ContentFilterUnavailable, TooManyContentScans, the reason of the signal
   */
  async inspect(
    kind: 'servers' | 'models',
    place: FilterPlace,
    pieces: readonly JudgedPiece[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const asked = this.judging(place).filter((inspector) => isModel(inspector) === (kind === 'models'));
    return judgedInTurn(asked, pieces, (inspector, left) => this.judged(inspector, place, left, signal));
  }

  private judging(place: FilterPlace): readonly ReadyInspector[] {
    return this.inspectors.filter(({ appliesTo: places }) => appliesTo({ applies_to: places }, [place]));
  }

  private async judged(
    inspector: ReadyInspector,
    place: FilterPlace,
    pieces: readonly JudgedPiece[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const texts = pieces.map(({ text }) => text);
    // It is not asked about nothing, so that nothing is said of it.
    if (texts.every((text) => text.trim() === '')) return texts;
    const { context } = this;
    const ask = this.askModels.get(inspector.id);
    const paying = { cost: 0n, isUnpaid: false };
    const askModel =
      ask &&
      ((...[input, ending, onAsked]: Parameters<AskModel>): Promise<Verdict> =>
        ask(input, ending, {
          asked: onAsked,
          charged: (units) => (paying.cost += units),
          unpaid: () => (paying.isUnpaid = true),
        }));
    const said = await this.judge.judge(inspector, { place, texts, context, askModel }, signal);
    const judgement = said.outcome === 'changed' && !keepsJson(pieces, said.texts) ? noJson(inspector, said) : said;
    this.record(inspector, place, judgement, paying.cost);
    if (inspector.mode === 'observe') return texts;
    if (judgement.outcome === 'changed') return judgement.texts;
    if (judgement.outcome === 'blocked') throw new AnswerRefused(refusalOf(inspector));
    // What a request could bring about must not let its texts pass.
    if (judgement.outcome === 'failed' && (!judgement.letsPass || paying.isUnpaid))
      throw new ContentFilterUnavailable();
    return texts;
  }

  private record(
    { id, name, mode }: ReadyInspector,
    place: FilterPlace,
    { outcome, milliseconds }: Judgement,
    cost: bigint,
  ): void {
    const key = `${id} ${place} ${outcome}`;
    const known = this.judgements.get(key);
    const costs = cost + unitsOf(known?.costUsd ?? '0');
    this.judgements.set(key, {
      id,
      name,
      place,
      outcome,
      ...(mode === 'observe' && { observed: true }),
      count: (known?.count ?? 0) + 1,
      milliseconds: (known?.milliseconds ?? 0) + milliseconds,
      ...(costs > 0n && { costUsd: textOfUnits(costs) }),
    });
  }
}

/** The place of a text of a request. An address, or a header, is judged nowhere. */
export function placeOfText({ role, kind }: ScannedText): FilterPlace | undefined {
  if (kind === 'address') return undefined;
  return role === 'tool' ? 'tool_result' : 'request';
}

function isModel({ protocol }: ReadyInspector): boolean {
  return protocol === 'model';
}

function noJson({ mode, onFailure }: ReadyInspector, { milliseconds }: Judgement): Judgement {
  return { ...NO_JSON, milliseconds, letsPass: mode === 'observe' || onFailure === 'pass' };
}

/** Whether what was JSON is JSON still. */
function keepsJson(pieces: readonly JudgedPiece[], made: readonly string[]): boolean {
  return pieces.every(
    ({ kind, text }, index) =>
      kind !== 'tool_arguments' || parsedIfJson(text) === undefined || parsedIfJson(made[index]!) !== undefined,
  );
}

function refusalOf({ name }: ReadyInspector): Refusal {
  return { reason: 'content_blocked', filter: { custom: 0, label: name }, label: name, guardrailIds: [] };
}
