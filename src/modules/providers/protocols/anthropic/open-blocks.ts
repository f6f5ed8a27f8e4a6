import { comparable } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';

/** What blocks that have begun and not ended may hold back together, in characters: as much as one event may have. */
const MAXIMUM_HELD_LENGTH = 8 * 1024 * 1024;

/** What a block takes besides its arguments, with its position, in characters. */
const BLOCK_SIZE = 512;

/** A block that has begun and not ended. */
export interface OpenBlock {
  readonly kind: 'tool' | 'thinking';
  /** Among the tool calls, or among the blocks of reasoning. */
  readonly index: number;
  /** The arguments that came with the beginning of a tool call: they count if no others come. */
  unsentInput: string | undefined;
  /** The id of a thought of which nothing has been sent yet. */
  unsaidId?: string | undefined;
}

/** The blocks of a stream that have begun and not ended, by the position that the provider names. */
export class OpenBlocks {
  private readonly blocks = new Map<number | string | undefined, OpenBlock>();
  private held = 0;

  /** The estimated bytes of the heap that they take. */
  get keptBytes(): number {
    return 2 * this.held;
  }

  /** @throws ProviderError where one is open, or the open ones hold too much */
  begin(position: unknown, block: OpenBlock): void {
    const name = nameOf(position);
    if (this.blocks.has(name)) throw new ProviderError('invalid', 'The provider began a block within another.');
    this.blocks.set(name, block);
    this.held += sizeOf(block);
    if (this.held > MAXIMUM_HELD_LENGTH) {
      throw new ProviderError('invalid', 'The provider began too many blocks without ending them.');
    }
  }

  at(position: unknown): OpenBlock | undefined {
    return this.blocks.get(nameOf(position));
  }

  /** Takes a block out. @returns undefined if none is open there */
  end(position: unknown): OpenBlock | undefined {
    const name = nameOf(position);
    const block = this.blocks.get(name);
    if (block === undefined) return undefined;
    this.blocks.delete(name);
    this.held -= sizeOf(block);
    return block;
  }

  /** Takes all blocks out, in the order in which they began. */
  endAll(): OpenBlock[] {
    const all = [...this.blocks.values()];
    this.blocks.clear();
    this.held = 0;
    return all;
  }

  /** Drops the arguments of a block's beginning, because others have come. */
  forgetInput(block: OpenBlock): void {
    this.held -= block.unsentInput?.length ?? 0;
    block.unsentInput = undefined;
  }
}

/** A position is a number; it may be anything that a provider sends, and must not keep that in memory. */
function nameOf(position: unknown): number | string | undefined {
  if (typeof position === 'number') return position;
  return typeof position === 'string' ? comparable(position) : undefined;
}

function sizeOf({ unsentInput }: OpenBlock): number {
  return BLOCK_SIZE + (unsentInput?.length ?? 0);
}
