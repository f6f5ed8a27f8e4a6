import type { Pool } from 'pg';

/** Keeps one object for each pool, for as long as the pool exists. It is made when it is first asked for. */
export class OnePerPool<T> {
  private readonly made = new WeakMap<Pool, T>();

  constructor(private readonly make: (pool: Pool) => T) {}

  of(pool: Pool): T {
    const known = this.made.get(pool);
    if (known !== undefined) return known;
    const made = this.make(pool);
    this.made.set(pool, made);
    return made;
  }

  set(pool: Pool, object: T): void {
    this.made.set(pool, object);
  }

  /** Forgets the object of a pool. @returns it, if it was made */
  forget(pool: Pool): T | undefined {
    const made = this.made.get(pool);
    this.made.delete(pool);
    return made;
  }
}
