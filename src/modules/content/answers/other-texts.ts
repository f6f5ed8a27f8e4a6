import { READ_BEFORE_MATCH } from '../../../../packages/content-detectors/index.js';
import { AnswerText } from './answer-text.js';
import type { TextRules } from './text-rules.js';

/** A text of an answer that no filter changes: it leaves as it comes. */
export class PassingText extends AnswerText {
  advance(isEnd: boolean): Promise<void> {
    this.hasEnded = isEnd;
    return Promise.resolve();
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  protected take(piece: string): void {
    this.leave(this.length, () => piece);
  }
}

/** A text of an answer under a filter that has to see all of it: it leaves at its end. */
export class HeldText extends AnswerText {
  private held: string[] = [];
  private before = '';

  constructor(private readonly rules: TextRules) {
    super();
  }

  async advance(isEnd: boolean): Promise<void> {
    if (!isEnd) return;
    await this.flush();
    this.hasEnded = true;
  }

  async flush(): Promise<void> {
    const { length } = this;
    const held = this.held.join('');
    this.held = [];
    if (held === '') return;
    const text = await this.rules.inspected(held, this.before);
    this.before = (this.before + held).slice(-READ_BEFORE_MATCH);
    this.isChanged ||= text !== held;
    this.leave(length, () => text);
  }

  protected take(piece: string): void {
    this.held.push(piece);
  }
}
