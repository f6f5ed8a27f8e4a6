import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { currentScope } from './request-scope.js';

/** The share of all bytes that one organization may have. */
const SHARE_OF_ORGANIZATION = 1 / 8;

/** Maximum number of organizations remembered. */
const ORGANIZATIONS = 10_000;

/**
 * Keeps what is made for organizations, within a number of bytes. An organization has at most an eighth of them: beyond that, what it has
 * used least recently goes first. When all bytes are taken, the organization goes that has asked for nothing for the longest.
 */
export class OrganizationCache<Value extends object> {
  private readonly organizations = new LRUCache<string, LRUCache<string, Value>>({
    max: ORGANIZATIONS,
    dispose: (values) => (this.taken -= values.calculatedSize),
  });
  private taken = 0;

  /** @param maximum the bytes of all organizations together */
  constructor(private readonly maximum: number) {}

  /** The bytes of what is kept. */
  get bytes(): number {
    return this.taken;
  }

  get(organizationId: string, name: string): Value | undefined {
    return this.organizations.get(organizationId)?.get(name);
  }

  /**
   * Keeps a value in place of one with the same name. One that is larger than the share of an organization is not kept, nor is one that a
   * request has made of changes of its own which are not committed.
   *
   * @param bytes about how much memory the value takes, at least 1
   */
  set(organizationId: string, name: string, value: Value, bytes: number): void {
    if (currentScope()?.readsItsOwn === true) return;
    const values = this.valuesOf(organizationId);
    const before = values.calculatedSize;
    // The cache counts the size of the same value only once.
    values.delete(name);
    values.set(name, value, { size: bytes });
    this.taken += values.calculatedSize - before;
    while (this.taken > this.maximum) this.organizations.pop();
  }

  private valuesOf(organizationId: string): LRUCache<string, Value> {
    const known = this.organizations.get(organizationId);
    if (known !== undefined) return known;
    const values = new LRUCache<string, Value>({ maxSize: Math.floor(this.maximum * SHARE_OF_ORGANIZATION) });
    this.organizations.set(organizationId, values);
    return values;
  }
}

/** A part of the memory that the process may use for its objects, in bytes. @param most however much memory there is */
export function partOfHeap(part: number, most: number): number {
  return Math.min(most, Math.floor(getHeapStatistics().heap_size_limit * part));
}
