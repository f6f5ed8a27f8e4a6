import type { JudgedWindow } from './answer-judge.js';
import { AnswerText } from './answer-text.js';

/** A judgement that is under way. */
interface Judging {
  /** How much of what is held is judged. */
  readonly length: number;
  readonly made: Promise<string>;
  isDone: boolean;
}

/**
 * A text of an answer that is judged from elsewhere, window by window: nothing leaves before it was judged together with what follows it. While
 * a window is judged the next one comes; of more than that the provider is not read.
 */
export class JudgedText extends AnswerText {
  /** What filters made of what has come and has not left. */
  private held = '';
  /** How much of that was judged. */
  private judgedLength = 0;
  private judging: Judging | undefined;

  /**
   * @param inner the text under the filters before
   * @param judge gives what is to stand in the place of a stretch
   * @param window `whole` where the text is judged in one piece
   */
  constructor(
    private readonly inner: AnswerText,
    private readonly judge: (text: string) => Promise<string>,
    private readonly window: JudgedWindow | 'whole',
  ) {
    super();
  }

  async advance(isEnd: boolean): Promise<void> {
    await this.inner.advance(isEnd);
    this.takeFiltered();
    await this.judgeOn(isEnd || this.inner.hasEnded);
    this.hasEnded = isEnd || this.inner.hasEnded;
  }

  async flush(): Promise<void> {
    await this.inner.flush();
    this.takeFiltered();
    await this.judgeOn(true);
  }

  protected take(piece: string): void {
    this.inner.append(piece);
  }

  private takeFiltered(): void {
    this.held += this.inner.takeTo(this.inner.length);
    this.isChanged ||= this.inner.isChanged;
  }

  /** @param isAll whether all that is held is to leave */
  private async judgeOn(isAll: boolean): Promise<void> {
    for (;;) {
      const { judging } = this;
      const coming = this.held.length - (judging?.length ?? this.judgedLength);
      if (judging !== undefined) {
        if (!isAll && !judging.isDone && coming < this.windowLength) return;
        this.judging = undefined;
        this.leaveJudged(await judging.made, judging.length, isAll && coming === 0);
      } else if (coming >= this.windowLength || (isAll && coming > 0)) {
        this.begin(isAll ? this.held.length : this.judgedLength + this.windowLength);
      } else {
        if (isAll) this.leaveJudged(this.held, this.held.length, true);
        return;
      }
    }
  }

  private get windowLength(): number {
    return this.window === 'whole' ? Number.POSITIVE_INFINITY : this.window.characters;
  }

  private begin(length: number): void {
    const isCut = /[\ud800-\udbff]/.test(this.held.charAt(length - 1)) && length < this.held.length;
    const end = isCut ? length + 1 : length;
    const made = this.judge(this.held.slice(0, end));
    const judging: Judging = { length: end, made, isDone: false };
    const done = (): void => void (judging.isDone = true);
    // What it throws is thrown where it is waited for.
    made.then(done, done);
    this.judging = judging;
  }

  /** Lets what was judged leave, but for what is judged again together with what follows. */
  private leaveJudged(text: string, length: number, isAll: boolean): void {
    this.isChanged ||= text !== this.held.slice(0, length);
    const overlap = isAll || this.window === 'whole' ? 0 : this.window.overlap;
    const leaving = text.slice(0, Math.max(0, text.length - overlap));
    this.held = text.slice(leaving.length) + this.held.slice(length);
    this.judgedLength = text.length - leaving.length;
    const isWhole = isAll && this.held === '';
    // What was changed has another length, so that this is about where it ends; at the end of the text it is exact.
    const left = this.inner.length - this.inner.heldLength - this.held.length;
    if (leaving !== '' || isWhole) this.push(isWhole ? this.length : Math.max(this.written, left), leaving);
  }
}
