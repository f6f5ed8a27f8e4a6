import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher, type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../../encryption/index.js';
import type { GenerationEvent } from '../generation-event.js';
import type { OutboxEntry } from './enqueue-events.js';
import { SealedEventsRepository, type StoredPayload } from './sealed-events.repository.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The shortest event that is compressed, in bytes: a shorter one gets hardly smaller. */
const COMPRESSED_FROM = 4_096;

/** The first byte of what is compressed (RFC 1952, section 2.3.1); JSON never begins with it. */
const GZIP = 0x1f;

type EncryptedPayload = StoredPayload & EncryptedRow;

/** The events of the outbox, compressed, encrypted at rest, and bound to organization and generation. */
@Injectable()
export class SealedEvents implements EncryptedTable<EncryptedPayload>, OnModuleInit {
  readonly name = 'generations that wait for destinations';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: SealedEventsRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** @returns the payload, and how large the event is when it is read, in bytes */
  async seal(event: GenerationEvent): Promise<Pick<OutboxEntry, 'payload' | 'bytes'>> {
    const json = Buffer.from(JSON.stringify(event));
    const bytes = json.length < COMPRESSED_FROM ? json : await compress(json, { level: 1 });
    return { payload: this.cipher.sealBytes(dataOf(event), bytes), bytes: json.length };
  }

  /** @throws Error when no key fits, or the payload is of another generation */
  async open(
    owner: { readonly organizationId: string; readonly id: string },
    payload: Buffer,
  ): Promise<GenerationEvent> {
    const bytes = this.cipher.openBytes(dataOf(owner), payload);
    const json = bytes[0] === GZIP ? await decompress(bytes) : bytes;
    return JSON.parse(json.toString('utf8')) as GenerationEvent;
  }

  async *rows(): AsyncGenerator<EncryptedPayload> {
    for await (const stored of this.repository.everyPayload()) yield { ...stored, bytes: stored.payload };
  }

  reEncrypted(row: EncryptedPayload): Buffer {
    return this.cipher.sealBytes(dataOf(row), this.cipher.openBytes(dataOf(row), row.payload));
  }

  async replace(row: EncryptedPayload, bytes: Buffer): Promise<boolean> {
    return this.repository.replace(row, bytes);
  }
}

function dataOf({ organizationId, id }: { readonly organizationId: string; readonly id: string }): readonly string[] {
  return ['broadcast_event', organizationId, id];
}
