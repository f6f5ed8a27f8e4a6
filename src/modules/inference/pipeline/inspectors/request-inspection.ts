import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import type { AnswerJudge, JudgedPiece } from '../../../content/answers/answer-judge.js';
import { AnswerRefused } from '../../../content/answers/answer-text.js';
import { ContentFilterUnavailable } from '../../../content/content.errors.js';
import { ANSWER_PLACES, appliesTo, type FilterPlace, REQUEST_PLACES } from '../../../content/content-filters.js';
import type { Refusal } from '../../../content/content-result.js';
import type { RecordedJudgement } from '../../../generations/generation-details.js';
import type { InspectorJudge } from '../../../inspectors/judging/inspector-judge.js';
import type { Judgement, ReadyInspector } from '../../../inspectors/judging/judgement.js';
import type { InspectionContext } from '../../../inspectors/protocols/inspection-protocol.js';

/** The failure of an inspector that makes no JSON of what was JSON. */
const NO_JSON = { outcome: 'failed', failure: 'the changed text is no JSON' } as const;

/** The inspectors of the policy of one request, and what they did (docs/interface/inspectors.md#judging). */
export class RequestInspection {
  private readonly judgements = new Map<string, RecordedJudgement>();

  /** @param context what inspectors are told of the request */
  constructor(
    private readonly judge: InspectorJudge,
    private readonly inspectors: readonly ReadyInspector[],
    private readonly context: InspectionContext,
  ) {}

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

  /** Those that judge answers. */
  judges(): readonly AnswerJudge[] {
    return this.inspectors
      .filter(({ appliesTo: places }) => appliesTo({ applies_to: places }, ANSWER_PLACES))
      .map((inspector) => ({
        places: new Set(ANSWER_PLACES.filter((place) => appliesTo({ applies_to: inspector.appliesTo }, [place]))),
        isEnforcing: inspector.mode === 'enforce',
        window: inspector.window,
        judge: (place, pieces, signal) => this.judged(inspector, place, pieces, signal),
      }));
  }

  /**
   * Has texts of a request judged by one inspector after the other.
   *
   * @returns what is to stand in their places
   * @throws AnswerRefused for what one of them blocks
   * @throws ContentFilterUnavailable, TooManyContentScans, the reason of the signal
   */
  async inspect(place: FilterPlace, pieces: readonly JudgedPiece[], signal: AbortSignal): Promise<readonly string[]> {
    let left = pieces;
    for (const inspector of this.judging(place)) {
      const made = await this.judged(inspector, place, left, signal);
      left = made.map((text, index) => ({ kind: pieces[index]!.kind, text }));
    }
    return left.map(({ text }) => text);
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
    const { context } = this;
    const said = await this.judge.judge(inspector, { place, texts, context }, signal);
    const judgement = said.outcome === 'changed' && !keepsJson(pieces, said.texts) ? noJson(inspector, said) : said;
    this.record(inspector, place, judgement);
    if (inspector.mode === 'observe') return texts;
    if (judgement.outcome === 'changed') return judgement.texts;
    if (judgement.outcome === 'blocked') throw new AnswerRefused(refusalOf(inspector));
    if (judgement.outcome === 'failed' && !judgement.letsPass) throw new ContentFilterUnavailable();
    return texts;
  }

  private record({ id, name, mode }: ReadyInspector, place: FilterPlace, { outcome, milliseconds }: Judgement): void {
    const key = `${id} ${place} ${outcome}`;
    const known = this.judgements.get(key);
    this.judgements.set(key, {
      id,
      name,
      place,
      outcome,
      ...(mode === 'observe' && { observed: true }),
      count: (known?.count ?? 0) + 1,
      milliseconds: (known?.milliseconds ?? 0) + milliseconds,
    });
  }
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
