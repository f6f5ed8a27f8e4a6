import { createHash } from 'node:crypto';
import type { ToolNames } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest, FunctionTool, ToolCall, ToolChoice } from '../chat/chat-completion.js';
import { type JsonObject, listOf, objectOf } from '../chat/json-values.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** Characters of the hash that keeps shortened names apart. */
const HASH_LENGTH = 8;

/**
 * The names of the tools of one request as their provider takes them: shorter, or without characters that it refuses. A name becomes
 * the same in every request, so that what a model reads of earlier calls fits the tools that it has.
 */
export class TranslatedToolNames {
  /** By the client's name. */
  private readonly sent = new Map<string, string>();
  /** By the provider's name. */
  private readonly own = new Map<string, string>();

  /**
   * @param names what the provider takes; undefined if that is not known
   * @param request whose tools are named
   * @param adjustments is told of each tool whose name is changed
   */
  constructor(
    private readonly names: ToolNames | undefined,
    request: Pick<ChatRequest, 'tools' | 'messages'>,
    adjustments: RequestAdjustments,
  ) {
    if (names === undefined) return;
    const tools = request.tools ?? [];
    // Names that stay as they are come first, so that no other tool gets them.
    const given = tools.map((tool) => tool.function?.name);
    for (const name of given) if (name !== undefined && this.fits(name)) this.own.set(name, name);
    given.forEach((name, index) => {
      if (name === undefined || this.fits(name)) return;
      this.sentOf(name);
      adjustments.changed(['tools', index, 'function', 'name'], 'name_not_taken');
    });
  }

  get areUnchanged(): boolean {
    return this.sent.size === 0;
  }

  /** The name that the provider gets for a name of the client. */
  sentOf(name: string): string {
    if (this.names === undefined || this.fits(name)) return name;
    const known = this.sent.get(name);
    if (known !== undefined) return known;
    let sent = this.shortened(name, name);
    for (let attempt = 1; this.own.has(sent); attempt += 1) sent = this.shortened(name, `${attempt} ${name}`);
    this.sent.set(name, sent);
    this.own.set(sent, name);
    return sent;
  }

  /** The client's name for a name of the provider. */
  ownOf(sent: string): string {
    return this.own.get(sent) ?? sent;
  }

  /** A tool with the name that the provider gets. */
  ofTool(tool: FunctionTool): FunctionTool {
    return tool.function === undefined ? tool : { ...tool, function: this.named(tool.function) };
  }

  /** The choice of a tool with names that the provider gets. */
  ofChoice(choice: ToolChoice): ToolChoice {
    if (typeof choice === 'string') return choice;
    const allowed = objectOf(choice.allowed_tools);
    if (allowed !== undefined) {
      const tools = listOf(allowed['tools']).map((tool) => this.ofAllowed(tool));
      return { ...choice, allowed_tools: { ...allowed, tools } };
    }
    return choice.function === undefined ? choice : { ...choice, function: this.named(choice.function) };
  }

  /** A call of an earlier turn with the name that the provider gets. */
  ofCall(call: ToolCall): ToolCall {
    return { ...call, function: this.named(call.function) };
  }

  private ofAllowed(tool: unknown): unknown {
    const allowed = objectOf(tool);
    const called = objectOf(allowed?.['function']);
    return typeof called?.['name'] === 'string'
      ? { ...allowed, function: this.named(called as JsonObject & { name: string }) }
      : tool;
  }

  private named<Named extends { readonly name: string }>(called: Named): Named {
    const name = this.sentOf(called.name);
    return name === called.name ? called : { ...called, name };
  }

  private fits(name: string): boolean {
    const { longest, begins_with_letter: beginsWithLetter = false } = this.names!;
    if (name.length > longest || name === '') return name === '';
    return this.plain(name) === name && (!beginsWithLetter || /^[A-Za-z_]/.test(name));
  }

  /** With `_` in place of every character that is not taken. */
  private plain(name: string): string {
    const { further_characters: further = '' } = this.names!;
    return [...name]
      .map((character) => (/^[A-Za-z0-9]$/.test(character) || further.includes(character) ? character : '_'))
      .join('');
  }

  private shortened(name: string, hashed: string): string {
    const hash = createHash('sha256').update(hashed).digest('hex').slice(0, HASH_LENGTH);
    const plain = this.plain(name);
    const begin = this.names!.begins_with_letter === true && !/^[A-Za-z_]/.test(plain) ? `_${plain}` : plain;
    return `${begin.slice(0, this.names!.longest - HASH_LENGTH - 1)}_${hash}`;
  }
}
