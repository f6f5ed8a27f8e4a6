/** Where an answer is kept: under a digest of its request, which says nothing of it. */
export interface CachePlace {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Keeps encrypted answers for a while. Each method fails where the store does not answer. */
export interface CacheStore {
  /** @returns undefined for none, and for one whose time is over */
  read(place: CachePlace): Promise<Buffer | undefined>;

  /**
   * Keeps an answer, in place of the one that is there. Beyond the most that an organization may have, those go that expire first.
   *
   * @param ttlSeconds how long it is kept
   */
  write(place: CachePlace, sealed: Buffer, ttlSeconds: number): Promise<void>;

  /** Deletes all answers of an organization, or of one of its workspaces. */
  purge(organizationId: string, workspaceId?: string): Promise<void>;
}
