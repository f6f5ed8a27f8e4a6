/** The part of the memory that is kept for owners who have little of it. */
const KEPT_PART = 1 / 4;

/** How much that is for each of them, as a part of the memory. */
const LITTLE_PART = 1 / 64;

/** What an owner's answers may have however much else it holds, as a part of its bound: so bodies never keep small answers waiting. */
const ANSWERS_PART = 1 / 8;

/** The part of what its owner may have that one member can have; the rest is for the owner's other members. */
const MEMBER_PART = 9 / 10;

/** Bounds of a memory, in bytes. */
export interface MemoryBounds {
  readonly perOwner: number;
  readonly inAll: number;
}

/** Who holds memory. */
export interface MemoryHolder {
  /** Such as an organization. */
  readonly owner: string;
  /** One of those that share what the owner may have, such as a key; absent where the owner has no members. */
  readonly member?: string;
}

/** Bytes that are held. */
interface Held {
  all: number;
  /** How many of all bytes answers hold. */
  answers: number;
}

interface HeldByOwner extends Held {
  readonly members: Map<string, Held>;
}

const NOTHING: Held = { all: 0, answers: 0 };

/**
 * Counts the bytes that owners, such as organizations, hold in memory at the same time, so that none of them takes what others need
 * (docs/limits.md#memory): none holds more than is left for all others, a part is kept for those who hold little, and a tenth of what an
 * owner may have for its other members.
 */
export class SharedMemory {
  private readonly owners = new Map<string, HeldByOwner>();
  private heldInAll = 0;
  private readonly little: number;
  private readonly forLarge: number;
  private readonly forAnswers: number;

  constructor(private readonly bounds: MemoryBounds) {
    this.little = bounds.inAll * LITTLE_PART;
    this.forLarge = bounds.inAll * (1 - KEPT_PART);
    this.forAnswers = Math.min(this.little, bounds.perOwner * ANSWERS_PART);
  }

  /**
   * Counts bytes.
   *
   * @param isOfAnswer whether they belong to an answer, which may have a little whatever else is held
   * @returns whether there is room for them; nothing is counted where there is none
   */
  take(holder: MemoryHolder, bytes: number, isOfAnswer = false): boolean {
    const { owner, member } = holder;
    const ofOwner = this.owners.get(owner);
    if (this.heldInAll + bytes > this.bounds.inAll) return false;
    const bound = this.boundOf(ofOwner?.all ?? 0);
    const has = (held: Held, part: number): boolean =>
      held.all + bytes <= bound * part || (isOfAnswer && held.answers + bytes <= this.forAnswers * part);
    if (!has(ofOwner ?? NOTHING, 1)) return false;
    const ofMember = member === undefined ? NOTHING : (ofOwner?.members.get(member) ?? NOTHING);
    // One that alone is more than a member may have would be refused for ever.
    if (ofMember.all > 0 && !has(ofMember, MEMBER_PART)) return false;
    this.add(holder, bytes, isOfAnswer);
    return true;
  }

  /** Whether there could be room for so many bytes of an answer if its owner held nothing else. */
  couldHave({ owner }: MemoryHolder, bytes: number): boolean {
    return bytes <= this.boundOf(this.owners.get(owner)?.all ?? 0) * MEMBER_PART || bytes <= this.forAnswers;
  }

  /** Counts bytes no longer. */
  release(holder: MemoryHolder, bytes: number, isOfAnswer = false): void {
    this.add(holder, -bytes, isOfAnswer);
  }

  /** Counts bytes of a member of an owner as those of another one. */
  move({ owner, member }: Required<MemoryHolder>, to: string, { all, answers }: Readonly<Held>): void {
    for (const [one, sign] of [
      [member, -1],
      [to, 1],
    ] as const) {
      this.add({ owner, member: one }, sign * (all - answers), false);
      this.add({ owner, member: one }, sign * answers, true);
    }
  }

  /** How many bytes a member holds. */
  heldBy({ owner, member }: Required<MemoryHolder>): number {
    return this.owners.get(owner)?.members.get(member)?.all ?? 0;
  }

  /** What an owner may hold beside all others, who keep what they have. @param held by the owner now */
  private boundOf(held: number): number {
    const others = this.heldInAll - held;
    return Math.min(this.bounds.perOwner, Math.max(this.little, (this.forLarge - others) / 2));
  }

  private add({ owner, member }: MemoryHolder, bytes: number, isOfAnswer: boolean): void {
    this.heldInAll += bytes;
    let ofOwner = this.owners.get(owner);
    if (ofOwner === undefined) this.owners.set(owner, (ofOwner = { all: 0, answers: 0, members: new Map() }));
    count(ofOwner, bytes, isOfAnswer);
    if (ofOwner.all <= 0) this.owners.delete(owner);
    if (member === undefined) return;
    let ofMember = ofOwner.members.get(member);
    if (ofMember === undefined) ofOwner.members.set(member, (ofMember = { all: 0, answers: 0 }));
    count(ofMember, bytes, isOfAnswer);
    if (ofMember.all <= 0) ofOwner.members.delete(member);
  }
}

function count(held: Held, bytes: number, isOfAnswer: boolean): void {
  held.all += bytes;
  if (isOfAnswer) held.answers += bytes;
}
