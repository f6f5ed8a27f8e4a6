import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { ReadyInspector } from '../../../inspectors/judging/judgement.js';
import type { ModelInspectorSettings } from '../../../inspectors/protocols/model.js';
import type { Candidate } from '../request/candidate.js';
import type { JudgePrice } from './judge-price.js';
import type { JudgingWorstCase } from './judging-worst-case.js';

/** Where texts may go, as far as their request says so itself: what a judge is asked says the same. */
export type DataWishes = Pick<ClientChatRequest, 'provider' | 'inference_geo'>;

/** A judge model of a request, and how it can be asked. */
export interface JudgeModel {
  readonly inspector: ReadyInspector;
  readonly settings: ModelInspectorSettings;
  /** In the order in which they are tried, all through provider keys of one kind; none where no provider may be asked. */
  readonly candidates: readonly Candidate[];
  /** Absent where there is no candidate. */
  readonly price?: JudgePrice;
}

/** The judge models of a request. */
export interface Judging {
  readonly judges: readonly JudgeModel[];
  /** The end of what the user last said, which is read before answers. */
  readonly said: string | undefined;
  readonly wishes: DataWishes;
  /** What they may cost; absent for nothing. */
  readonly worstCase?: JudgingWorstCase;
}
