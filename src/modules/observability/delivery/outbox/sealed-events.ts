import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher } from '../../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../../encryption/encrypted-tables.js';
import type { EventContent, GenerationEvent } from '../generation-event.js';
import type { SealedEvent } from './enqueue-events.js';
import {
  type EventOwner,
  type EventPart,
  SealedEventsRepository,
  type StoredPart,
} from './sealed-events.repository.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The shortest event that is compressed, in bytes: a shorter one gets hardly smaller. */
const COMPRESSED_FROM = 4_096;

/** The first byte of what is compressed (RFC 1952, section 2.3.1); JSON never begins with it. */
const GZIP = 0x1f;

type EncryptedPart = StoredPart & EncryptedRow;

/** The events of the outbox, compressed, encrypted at rest, and bound to organization and generation. */
@Injectable()
export class SealedEvents implements EncryptedTable<EncryptedPart>, OnModuleInit {
  readonly name = 'generations that wait for destinations';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: SealedEventsRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** @returns the event in two parts, and how large it is when it is read, in bytes */
  async seal({ content, ...event }: GenerationEvent): Promise<SealedEvent & { readonly bytes: number }> {
    const [payloadJson, contentJson] = [Buffer.from(JSON.stringify(event)), Buffer.from(JSON.stringify(content))];
    return {
      payload: await this.sealed(event, 'payload', payloadJson),
      content: content === null ? null : await this.sealed(event, 'content', contentJson),
      bytes: payloadJson.length + contentJson.length,
    };
  }

  /**
   * The event, with its content if there is any.
   *
   * @throws Error when no key fits, or a part is of another generation
   */
  async open(owner: EventOwner, { payload, content }: SealedEvent): Promise<GenerationEvent> {
    const event = (await this.opened(owner, 'payload', payload)) as Omit<GenerationEvent, 'content'>;
    const opened = content === null ? null : ((await this.opened(owner, 'content', content)) as EventContent);
    return { ...event, content: opened };
  }

  rows(): AsyncIterable<EncryptedPart> {
    return this.repository.everyPart();
  }

  reEncrypted(row: EncryptedPart): Buffer {
    const data = dataOf(row, row.part);
    return this.cipher.sealBytes(data, this.cipher.openBytes(data, row.bytes));
  }

  async replace(row: EncryptedPart, bytes: Buffer): Promise<boolean> {
    return this.repository.replace(row, bytes);
  }

  private async sealed(owner: EventOwner, part: EventPart, json: Buffer): Promise<Buffer> {
    const bytes = json.length < COMPRESSED_FROM ? json : await compress(json, { level: 1 });
    return this.cipher.sealBytes(dataOf(owner, part), bytes);
  }

  private async opened(owner: EventOwner, part: EventPart, sealed: Buffer): Promise<unknown> {
    const bytes = this.cipher.openBytes(dataOf(owner, part), sealed);
    const json = bytes[0] === GZIP ? await decompress(bytes) : bytes;
    return JSON.parse(json.toString('utf8'));
  }
}

function dataOf({ organizationId, id }: EventOwner, part: EventPart): readonly string[] {
  return ['broadcast_event', organizationId, id, part];
}
