/** The part of the memory that is kept for owners who have little of it. */
const KEPT_PART = 1 / 4;

/** How much that is for each of them, as a part of the memory. */
const LITTLE_PART = 1 / 64;

/** Bounds of a memory, in bytes. */
export interface MemoryBounds {
  readonly perOwner: number;
  readonly inAll: number;
}

/**
 * Counts the bytes that owners, such as organizations, hold in memory at the same time, so that none of them takes what others need
 * (docs/limits.md#memory): none holds more than is left for all others, and a part is kept for those who hold little.
 */
export class SharedMemory {
  private readonly held = new Map<string, number>();
  private heldInAll = 0;
  private readonly little: number;
  private readonly forLarge: number;

  constructor(private readonly bounds: MemoryBounds) {
    this.little = bounds.inAll * LITTLE_PART;
    this.forLarge = bounds.inAll * (1 - KEPT_PART);
  }

  /** Counts bytes of an owner. @returns whether there is room for them; nothing is counted where there is none */
  take(owner: string, bytes: number): boolean {
    const held = (this.held.get(owner) ?? 0) + bytes;
    const heldInAll = this.heldInAll + bytes;
    if (held > this.bounds.perOwner || heldInAll > this.bounds.inAll) return false;
    if (held > this.little && held > this.forLarge - heldInAll) return false;
    this.held.set(owner, held);
    this.heldInAll = heldInAll;
    return true;
  }

  /** Counts bytes of an owner no longer. */
  release(owner: string, bytes: number): void {
    const held = (this.held.get(owner) ?? 0) - bytes;
    if (held > 0) this.held.set(owner, held);
    else this.held.delete(owner);
    this.heldInAll -= bytes;
  }
}
