import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Outcome } from '../../../concurrency/batcher.js';
import { counterNameOf } from '../open-counters.js';
import type { Admitted, AdmissionRequest, Reserving } from '../admission-request.js';
import { dayOf } from '../admission-state.repository.js';
import { wholeHoldsOf } from '../counted-decision.js';
import { reservationOf, storedAmounts } from '../reservation-rows.js';
import { worstCaseAmounts } from '../worst-case.js';
import type { Block } from './block.js';
import { BlockBook, type RequestKind } from './block-book.js';
import { BlocksRepository } from './blocks.repository.js';

/** Of how many keys it is remembered under which limits their blocks were made. */
const MAXIMUM_KEYS = 10_000;

/** Admits requests from blocks: with one statement, which waits for no other process (docs/budgets.md#blocks). */
@Injectable()
export class BlockAdmissions {
  /** Whether this process has made a block. */
  hasMade = false;
  private readonly book = new BlockBook();
  /** The versions of the limits of the last blocks, by key. */
  private readonly leased = new LRUCache<string, string>({ max: MAXIMUM_KEYS });

  constructor(private readonly repository: BlocksRepository) {}

  /** What a request needs of a block, and of which kind it is. Its use counts for the size of the next block. */
  leasingOf(request: AdmissionRequest): NonNullable<Reserving['leasing']> {
    const { worstCase, counters } = request;
    const holds = counters === undefined ? [] : wholeHoldsOf(counters, worstCase);
    const kind = this.book.kind(kindNameOf(request), request, holds.length);
    const needed = { ...worstCaseAmounts(worstCase), holds };
    const now = performance.now();
    kind.use.add(needed, now);
    kind.usedAt = now;
    return { kind, needed };
  }

  /**
   * Admits the requests for which there is enough in the blocks of their kinds, made under the same limits.
   *
   * @returns the outcomes of those
   * @throws the error of the database, after which they may be reserved
   */
  async admit(
    organizationId: string,
    processId: string,
    requests: readonly Reserving[],
  ): Promise<ReadonlyMap<Reserving, Outcome<Admitted>>> {
    const blocks = new Map<Block, RequestKind>();
    const paid = requests.flatMap((request) => {
      const { leasing, limitsVersion } = request;
      const block = leasing?.kind.block;
      if (block?.limitsVersion !== limitsVersion || !block.take(leasing!.needed)) return [];
      blocks.set(block, leasing!.kind);
      const admitted = admittedOf(request, processId);
      return [{ request, admitted, blockId: block.id, row: reservationOf(request, admitted, processId) }];
    });
    if (paid.length === 0) return new Map();
    const rests = [...blocks.keys()].map(({ id, amounts }) => ({ id, ...storedAmounts(amounts) }));
    // Until it is known what became of them.
    for (const kind of blocks.values()) kind.block = undefined;
    const made = await this.repository.take(organizationId, processId, rests, paid);
    const gone = new Set(paid.filter(({ row }) => !made.has(row.generationId)).map(({ blockId }) => blockId));
    for (const [block, kind] of blocks) {
      if (gone.has(block.id)) this.forget(kind);
      else kind.block = block;
    }
    return new Map(
      paid.flatMap(({ request, admitted: value, row }) =>
        made.has(row.generationId) ? [[request, { status: 'fulfilled', value }]] : [],
      ),
    );
  }

  /** Gives back the blocks of requests that they do not pay for. */
  async giveBack(organizationId: string, requests: readonly Reserving[]): Promise<void> {
    const ids = new Set<string>();
    for (const { leasing } of requests) {
      if (leasing?.kind.block === undefined) continue;
      ids.add(leasing.kind.block.id);
      this.forget(leasing.kind);
    }
    await this.repository.release(organizationId, [...ids]);
  }

  /** Gives back blocks of any process. */
  async callIn(organizationId: string, ids: readonly string[]): Promise<void> {
    await this.repository.release(organizationId, ids);
  }

  /** Takes blocks that were made. */
  keep(blocks: ReadonlyMap<RequestKind, Block>): void {
    this.hasMade ||= blocks.size > 0;
    for (const [kind, block] of blocks) {
      kind.block = block;
      this.leased.set(kind.keyId, block.limitsVersion);
    }
  }

  /**
   * The version of the limits under which a block was made for a key: no limit of spending was met then. It may have been called in
   * meanwhile; then requests are decided by what is left.
   *
   * @returns undefined where this process has none
   */
  limitsVersionOf(keyId: string): string | undefined {
    return this.leased.get(keyId);
  }

  /**
   * Forgets the blocks that no request has asked for since a time.
   *
   * @param since milliseconds on the clock of the process
   * @returns the ids of the others
   */
  forgetUnusedSince(since: number): ReadonlySet<string> {
    const used = new Set<string>();
    for (const kind of this.book.leased()) {
      if (kind.usedAt >= since) used.add(kind.block!.id);
      else this.forget(kind);
    }
    return used;
  }

  private forget(kind: RequestKind): void {
    kind.block = undefined;
    this.leased.delete(kind.keyId);
  }
}

/** What is reserved for a request that is admitted as it is. */
function admittedOf({ leasing, counters }: Reserving, processId: string): Admitted {
  const { amount, byokAmount, holds } = leasing!.needed;
  const held = (counters?.asked ?? []).map((asked, index) => ({ ...asked, ...holds[index]! }));
  return {
    fits: true,
    amount,
    byokAmount,
    cappedTokens: null,
    holds: held.filter((one) => one.amount > 0n || one.byokAmount > 0n),
    observed: [],
    processId,
  };
}

/** Requests with the same name count on the same limits and counters in the same windows. */
function kindNameOf({ organizationId, keyId, userId, workspaceId, createdAt, counters }: AdmissionRequest): string {
  const names = (counters?.asked ?? []).map(({ counter }) => counterNameOf(counter));
  return [organizationId, keyId, userId, workspaceId, dayOf(createdAt), ...names].join('\n');
}
