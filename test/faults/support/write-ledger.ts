import type { Caller } from './caller.js';
import { isSuccess } from './outcomes.js';
import { hashOf } from './rows.js';
import { effectOf, findTraces, type WriteTraces } from './write-traces.js';
import { sendWrite, WRITE_KINDS, type Write, type WriteKind, type WriteOwner, type WriteStock } from './writes.js';

/** Writes that are not in the database as they should be, by name. */
export interface Discrepancies {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly halved: readonly string[];
  /** Answered, and without exactly one event in the audit trail. */
  readonly unrecorded: readonly string[];
}

/** Every write that was sent, whether it was answered, and whether it is in the database. */
export class WriteLedger {
  private readonly writes: Write[] = [];
  private isInterrupted = false;
  /** What each write that was answered without success was answered. */
  readonly failures: string[] = [];
  lost = 0;
  doubled = 0;

  get sent(): number {
    return this.writes.length;
  }

  get answered(): number {
    return this.writes.filter(({ isAnswered }) => isAnswered).length;
  }

  /** How many writes of each kind were answered, in words. */
  get answeredByKind(): string {
    const answered = this.writes.filter(({ isAnswered }) => isAnswered);
    return WRITE_KINDS.map((kind) => `${kind} x ${answered.filter((write) => write.kind === kind).length}`).join(', ');
  }

  /** From now until {@link compare} the service does not run, and nothing is written. */
  interrupt(): void {
    this.isInterrupted = true;
  }

  /** One write of one of the writers, each of which makes its own kind; of what there is no more stock, a guardrail. */
  async write(caller: Caller, owner: WriteOwner, stock: WriteStock, writer: number): Promise<void> {
    if (this.isInterrupted) return new Promise((resolve) => setTimeout(resolve, 1));
    const write = this.next(WRITE_KINDS[writer % WRITE_KINDS.length]!, stock);
    this.writes.push(write);
    const outcome = await sendWrite(caller, owner, write);
    write.isAnswered = isSuccess(outcome);
    if (outcome.status !== undefined && !write.isAnswered) {
      this.failures.push(`${write.kind} ${outcome.status}: ${outcome.text}`);
    }
    if (write.isAnswered && (write.kind === 'exchange' || write.kind === 'rotation')) {
      write.issued = hashOf((JSON.parse(outcome.text) as { key: string }).key);
    }
  }

  /** Holds every write against the database. */
  async compare(url: string): Promise<Discrepancies> {
    this.isInterrupted = false;
    const traces = await findTraces(url);
    const named = (isSo: (write: Write) => boolean): string[] =>
      this.writes.filter(isSo).map(({ kind, name }) => `${kind} ${name}`);
    const lost = named((write) => write.isAnswered && isLost(write, traces));
    const doubled = named(
      (write) => (effectOf(write, traces) ?? 0) > 1 || (traces.events.get(write.requestId) ?? 0) > 1,
    );
    const exchanges = new Set([...traces.redemptions.values()].filter((key) => key !== null));
    if (traces.issued !== exchanges.size) doubled.push(`${traces.issued} keys from ${exchanges.size} codes`);
    this.lost = Math.max(this.lost, lost.length);
    this.doubled = Math.max(this.doubled, doubled.length);
    return {
      lost,
      doubled,
      halved: [...named((write) => isHalved(write, traces)), ...traces.faults],
      unrecorded: named(({ isAnswered, requestId }) => isAnswered && traces.events.get(requestId) !== 1),
    };
  }

  private next(kind: WriteKind, { label, names }: WriteStock): Write {
    const number = this.writes.length;
    const isAnswered = false;
    const requestId = `write-${number}`;
    // Another limit each time, for the same one again would change nothing.
    if (kind === 'budget') return { kind, name: String(number + 1), requestId, isAnswered };
    const name = kind === 'version' ? `${label}-version-${number}` : names[kind]?.pop();
    return name === undefined
      ? { kind: 'guardrail', name: `${label}-guardrail-${number}`, requestId, isAnswered }
      : { kind, name, requestId, isAnswered };
  }
}

function isLost(write: Write, traces: WriteTraces): boolean {
  const { kind, name, issued } = write;
  if (kind === 'exchange') return traces.redemptions.get(hashOf(name)) !== issued;
  return effectOf(write, traces) === 0 || (issued !== undefined && !traces.keys.has(issued));
}

/** Whether a write has its effects without its audit event, or the event without the effects. */
function isHalved(write: Write, traces: WriteTraces): boolean {
  const effect = effectOf(write, traces);
  if (effect === undefined) return false;
  // Used, but without the key that it gives.
  if (write.kind === 'exchange' && traces.redemptions.get(hashOf(write.name)) === null) return true;
  return effect <= 1 && effect !== (traces.events.get(write.requestId) ?? 0);
}
