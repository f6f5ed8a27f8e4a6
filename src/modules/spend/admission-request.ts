import type { ObservingBudget } from './admission-decision.js';
import type { HeldAmounts, NeededAmounts } from './blocks/block.js';
import type { RequestKind } from './blocks/block-book.js';
import type { CountedFit, RequestCounters } from './counted-decision.js';
import type { ReservedRequest } from './entities/spend-reservation.entity.js';
import type { SpendingRequest } from './spenders.js';
import type { WorstCase } from './worst-case.js';

/** A request that is to be sent to a provider, and to which a limit applies. */
export interface AdmissionRequest extends SpendingRequest {
  readonly organizationId: string;
  readonly generationId: string;
  readonly worstCase: WorstCase;
  readonly request: ReservedRequest;
  /** The counters of limits by condition and group that it counts on; absent for none. */
  readonly counters?: RequestCounters;
  /** Another text after each change of the limits that apply to it: as they were when it came. */
  readonly limitsVersion: string;
}

/** What is reserved for a request, and by which process id: a process whose lease was ended has another one from then on. */
export interface AmountsOfProcess extends HeldAmounts {
  readonly processId: string;
  /** Guardrails that only observe and would not have admitted it so; absent for none. */
  readonly observing?: readonly ObservingBudget[];
}

/** How a reservation is to grow, because another attempt is to be made: each of its holds has its place in both lists. */
export interface RaisedAmounts {
  readonly from: AmountsOfProcess;
  readonly to: HeldAmounts;
}

/** What is reserved for a request that is admitted; for one that is raised without what is decided about its answer. */
export type Admitted = AmountsOfProcess & Partial<Omit<CountedFit, keyof HeldAmounts>>;

/** A request whose worst case is to be reserved, or whose reservation is to grow. */
export interface Reserving extends AdmissionRequest {
  readonly raise?: RaisedAmounts;
  /** The kind whose blocks may pay for it, and what it needs of one; absent for a reservation that is to grow. */
  readonly leasing?: { readonly kind: RequestKind; readonly needed: NeededAmounts };
}
