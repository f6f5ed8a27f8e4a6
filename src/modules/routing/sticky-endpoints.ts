import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReplicaMessages } from '../../concurrency/replica-messages.js';
import type { CatalogModel } from '../catalog/catalog-model.js';
import type { CandidateEndpoint } from './endpoint-order.js';

/** How long an endpoint is kept without a request of its conversation, in milliseconds: about as long as caches of prompts. */
const INACTIVITY_MS = 600_000;

/** How many conversations are remembered: of one organization, and of how many organizations. */
const CONVERSATIONS = 1_000;
const ORGANIZATIONS = 200;

/** How many conversations of one organization, and of all, a message to other replicas is about. */
const CONVERSATIONS_OF_ORGANIZATION_PER_MESSAGE = 25;
const CONVERSATIONS_PER_MESSAGE = 100;

/** A conversation of an organization. */
export interface Conversation {
  readonly organizationId: string;
  /** A keyed hash, from which nothing of the conversation can be read. */
  readonly name: string;
}

/** A conversation with a model, and the tag of the endpoint that knows it, in a message between replicas. */
type ConversationMessage = readonly [organizationId: string, name: string, tag: string];

/**
 * Which endpoint has the prompt of a conversation in its cache, so that its next request goes there as well
 * (docs/interface/inference.md#order). Bounded for each organization, so that none makes another's be forgotten by sending more.
 */
@Injectable()
export class StickyEndpoints {
  private readonly organizations = new LRUCache<string, LRUCache<string, string>>({ max: ORGANIZATIONS });
  private readonly unsent = new Map<string, Map<string, string>>();
  private readonly isShared: boolean;

  constructor(replicas: ReplicaMessages) {
    this.isShared = replicas.isShared;
    replicas.open({
      name: 'sticky-endpoints',
      take: () => this.takeUnsent(),
      receive: (message, at) => this.receive(message, at),
    });
  }

  /** Whether an endpoint of a model knows a conversation; a request without one is known to none. */
  knows(conversation: Conversation | undefined, { model, endpoint }: CandidateEndpoint): boolean {
    if (conversation === undefined) return false;
    const known = this.organizations.get(conversation.organizationId);
    // Nothing is remembered of most organizations, and a name has its cost.
    return known?.get(nameWith(conversation.name, model)) === endpoint.row.tag;
  }

  /** Remembers the endpoint that has a conversation in its cache, from now on for as long as it goes on. */
  remember(conversation: Conversation | undefined, { model, endpoint }: CandidateEndpoint): void {
    if (conversation === undefined) return;
    const { organizationId, name } = conversation;
    const { tag } = endpoint.row;
    this.set(organizationId, nameWith(name, model), tag, INACTIVITY_MS);
    if (this.isShared) this.sendLater(organizationId, nameWith(name, model), tag);
  }

  private set(organizationId: string, name: string, tag: string, ttl: number): void {
    let conversations = this.organizations.get(organizationId);
    if (conversations === undefined) {
      conversations = new LRUCache({ max: CONVERSATIONS, perf: Date });
      this.organizations.set(organizationId, conversations);
    }
    conversations.set(name, tag, { ttl });
  }

  /** Conversations beyond the size of a message are remembered by this replica alone. */
  private sendLater(organizationId: string, name: string, tag: string): void {
    const unsent = this.unsent.get(organizationId) ?? new Map<string, string>();
    if (unsent.size < CONVERSATIONS_OF_ORGANIZATION_PER_MESSAGE) unsent.set(name, tag);
    if (this.unsent.size < CONVERSATIONS_PER_MESSAGE) this.unsent.set(organizationId, unsent);
  }

  private takeUnsent(): readonly ConversationMessage[] | undefined {
    const all = [...this.unsent].flatMap(([organizationId, conversations]) =>
      [...conversations].map(([name, tag]): ConversationMessage => [organizationId, name, tag]),
    );
    this.unsent.clear();
    return all.length === 0 ? undefined : all.slice(0, CONVERSATIONS_PER_MESSAGE);
  }

  private receive(message: unknown, at: number): void {
    const ttl = at + INACTIVITY_MS - Date.now();
    if (!Array.isArray(message) || ttl <= 0) return;
    for (const conversation of message.filter(isConversationMessage)) this.set(...conversation, ttl);
  }
}

/** Endpoints of each model have caches of their own. */
function nameWith(conversation: string, { row }: CatalogModel): string {
  return `${conversation} ${row.id}`;
}

function isConversationMessage(value: unknown): value is ConversationMessage {
  return Array.isArray(value) && value.length === 3 && value.every((item) => typeof item === 'string');
}
