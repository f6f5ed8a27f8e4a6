import { filledBefore } from './filled-before.js';
import { stopAtEnd } from './stop-at-end.js';

/** What starts before tests, and stops after them. */
interface Started {
  stop(): Promise<void>;
}

/** With whom a describe block shares what takes seconds to start. */
export interface Sharing {
  /** All blocks that name the same topic and run together use the same one; a block without a topic has one of its own. */
  readonly topic?: string | undefined;
}

/** Starts something once for each topic: before the tests of the first block that names the topic, until after those of the last. */
export class Shared<Made extends Started> {
  private readonly topics = new Map<string, ForBlocks<Made>>();

  /** For a describe block. @param start makes it; blocks of one topic have to make the same */
  forBlock(start: () => Promise<Made>, { topic }: Sharing): Made {
    if (topic === undefined) return new ForBlocks<Made>().join(start);
    const blocks = this.topics.get(topic) ?? new ForBlocks<Made>();
    this.topics.set(topic, blocks);
    return blocks.join(start);
  }
}

/** What some describe blocks share. */
class ForBlocks<Made extends Started> {
  private blocks = 0;
  private started: Promise<Made> | undefined;

  constructor() {
    stopAtEnd(() => this.stop());
  }

  join(start: () => Promise<Made>): Made {
    this.blocks += 1;
    const made = filledBefore(beforeAll, () => (this.started ??= start()));
    afterAll(async () => {
      this.blocks -= 1;
      if (this.blocks === 0) await this.stop();
    });
    return made;
  }

  private async stop(): Promise<void> {
    const made = await this.started;
    this.started = undefined;
    await made?.stop();
  }
}
