import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { type ChatMessage, isInstructing } from '../../../codecs/chat/chat-completion.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { ConversationHints, InferenceOperation, RoutedBody } from '../request/operation.js';
import type { Conversation } from '../../../routing/sticky-endpoints.js';

/** How much of the beginning of a conversation counts, in characters of each of its two messages. */
const BEGINNING = 16_384;

/** The length of a name, in characters of base64url: 132 bits. */
const NAME_LENGTH = 22;

/** Names conversations by a keyed hash, from which nothing of them can be read or guessed. */
@Injectable()
export class ConversationNames {
  private readonly key: Buffer;

  constructor({ encryptionKeys: [ofDeployment] }: Environment) {
    // Without a key that all replicas have, each names conversations for itself.
    const secret = ofDeployment ?? randomBytes(32);
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse names of conversations', 32));
  }

  /**
   * The conversation that a request belongs to: by its session, else by the key of its cached prompt, else by the
   * beginnings of its first system message and of its first other one (docs/interface/inference.md#order).
   */
  conversationOf(organizationId: string, hints: ConversationHints): Conversation {
    return new NamedConversation(organizationId, () => this.nameOf([organizationId, ...textsOf(hints)]));
  }

  /** The conversation of a request; undefined for an operation without conversations. */
  ofRequest<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    { caller, subject }: ArrivedRequest,
    body: Body,
  ): Conversation | undefined {
    const hints = operation.conversationHintsOf(body);
    if (hints === undefined) return undefined;
    // Not spread, because a body may have very many fields.
    const { session_id: session = null, prompt_cache_key: cacheKey = null, messages } = hints;
    return this.conversationOf(caller.organizationId, {
      session_id: session ?? subject.sessionId,
      prompt_cache_key: cacheKey,
      messages,
    });
  }

  private nameOf(texts: readonly string[]): string {
    const hash = createHmac('sha256', this.key);
    // Each text after its length, so that different lists of texts never give the same name.
    for (const text of texts) hash.update(`${text.length} `).update(text);
    return hash.digest('base64url').slice(0, NAME_LENGTH);
  }
}

/** A conversation that makes its name when it is first asked for, which it never is if no prompt is cached. */
class NamedConversation implements Conversation {
  private known: string | undefined;

  constructor(
    readonly organizationId: string,
    private readonly makeName: () => string,
  ) {}

  get name(): string {
    this.known ??= this.makeName();
    return this.known;
  }
}

function textsOf({ session_id: session, prompt_cache_key: cacheKey, messages }: ConversationHints): string[] {
  if (isGiven(session)) return ['session', session];
  if (isGiven(cacheKey)) return ['prompt cache', cacheKey];
  const system = messages.find(({ role }) => isInstructing(role));
  const other = messages.find(({ role }) => !isInstructing(role));
  return ['messages', ...[system, other].map((message) => beginningOf(message?.content))];
}

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}

/** The texts that a message begins with: caches know the beginning of a prompt. */
function beginningOf(content: ChatMessage['content'] | undefined): string {
  if (typeof content === 'string') return content.slice(0, BEGINNING);
  let beginning = '';
  for (const { type, text } of content ?? []) {
    beginning += `${type} ${typeof text === 'string' ? text.slice(0, BEGINNING) : ''}\n`;
    if (beginning.length >= BEGINNING) break;
  }
  return beginning.slice(0, BEGINNING);
}
