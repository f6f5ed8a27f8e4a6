import type { DetectorRule } from '../../engine/compiled-filters.js';
import type { RuleMatches } from '../../engine/rule-matches.js';
import { type InspectedRequest, type Inspector, detectsIn } from '../inspector.js';
import { inspectRemotely } from '../remote-inspection.js';
import { piecesOf, type TextPiece } from '../text-pieces.js';
import type { ClassifierClient } from './classifier-client.js';

/** The name that matches of the classifier have beside those of the patterns. */
const PATTERN = 'classifier';

/** The longest piece, in code units: a model reads 512 tokens, one of which is two characters of ASCII or more, or one other one. */
const LONGEST_IN_ASCII = 1_000;
const LONGEST = 333;

/** How many pieces one request has: servers take as many unless they are told otherwise. */
const PIECES = 32;

const REQUESTS_AT_ONCE = 8;

const BEYOND_ASCII = /[^\0-\x7f]/;

interface IndexedPiece extends TextPiece {
  readonly index: number;
  /** What the rule that looks through its text has matched. */
  readonly matches: RuleMatches;
}

/** Has prompt injections looked for by a classifier, piece by piece: a piece that it takes for one is a match. */
export class ClassifierInspector implements Inspector {
  /**
   * @param rules those of prompt injection, of which each text has one at most
   * @param matches those of each rule
   */
  constructor(
    private readonly classifier: ClassifierClient,
    private readonly rules: readonly DetectorRule[],
    private readonly matches: readonly RuleMatches[],
  ) {}

  async inspect(request: InspectedRequest): Promise<void> {
    await inspectRemotely(this.classifier.settings, request.signal, this.matches, async (signal) => {
      let pieces: IndexedPiece[] = [];
      for await (const piece of this.piecesOf(request)) {
        pieces.push(piece);
        if (pieces.length < PIECES * REQUESTS_AT_ONCE) continue;
        await this.classify(pieces, { ...request, signal });
        pieces = [];
      }
      await this.classify(pieces, { ...request, signal });
    });
  }

  private async *piecesOf({ texts, targetOf, turn }: InspectedRequest): AsyncGenerator<IndexedPiece> {
    for (const [index, text] of texts.entries()) {
      const matches = this.matches[this.rules.findIndex((rule) => detectsIn(rule, text))];
      if (matches === undefined) continue;
      if (turn.mustRest) await turn.rest();
      const target = await targetOf(index);
      const longest = (start: number): number =>
        BEYOND_ASCII.test(target.text.slice(start, start + LONGEST_IN_ASCII)) ? LONGEST : LONGEST_IN_ASCII;
      for (const piece of piecesOf(target.text, longest)) yield { ...piece, index, matches };
    }
  }

  private async classify(
    pieces: readonly IndexedPiece[],
    { organizationId, signal }: Pick<InspectedRequest, 'organizationId' | 'signal'>,
  ): Promise<void> {
    const batches = Array.from({ length: Math.ceil(pieces.length / PIECES) }, (_, batch) =>
      pieces.slice(batch * PIECES, (batch + 1) * PIECES),
    );
    const answers = await Promise.all(
      batches.map((batch) =>
        this.classifier.classify({ organizationId, texts: batch.map(({ text }) => text), signal }),
      ),
    );
    // In the order of the texts, whichever answer came first.
    for (const [position, isAttack] of answers.flat().entries()) {
      if (!isAttack) continue;
      const { index, matches, start, text } = pieces[position]!;
      matches.add(index, start + text.length - text.trimStart().length, start + text.trimEnd().length, PATTERN);
    }
  }
}
