import type { RE2JS } from 're2js';

/** A state of the engine's automaton, which shows a match one character behind its end. */
interface State {
  readonly isMatch: boolean;
  /** How far the matches have come that have begun; empty where none has. */
  readonly nfaStates: readonly number[];
}

/** The automaton of the engine. It makes states as they are needed, in bounded memory: null stands for one too many. */
interface Automaton {
  /** Whether it cannot represent the expression. */
  readonly failed: boolean;
  readonly numClasses: number;
  readonly latin1Class: Int32Array;
  runeClass(character: number): number;
  start(input: { context(): number }, position: number): State | null;
  makeState(places: readonly number[], flags: number, ids: readonly number[]): State | null;
  step(state: State, kind: number, character: number, anchor: number): State | null;
  clearCache(): void;
}

/** What there is of an expression in the engine. */
interface Engine {
  readonly dfa: Automaton;
  /** The text that each match begins with. */
  readonly prefix: string | null;
  /** Whether that is all of the match. */
  readonly prefixComplete: boolean;
  /** The form of an expression that only matches at the start of a text. */
  readonly onepass: object | null;
}

/**
 * Finds the matches of an expression one after the other, as the engine does, only sooner.
 *
 * The engine finds out where a match is by following all its alternatives from character to character. It finds out many times
 * faster whether there is one, with an automaton that is in one state at a time. Here that automaton goes ahead to the end of the
 * next match, and remembers the last place that no match reaches across. From there the engine itself finds the match, which is the
 * same that it would have found, for none begins before that place.
 *
 * A thread runs the source of this function, so it uses nothing but its parameters.
 *
 * @param maximum how many matches are reported at most
 * @param begin where the search begins: matches look at what is before it, and none begins there
 * @returns the start and the end of each match in UTF-16 code units, one after the other. Empty matches are left out
 */
export function matchSpans(expression: RE2JS, text: string, maximum: number, begin = 0): number[] {
  // The engine's words for where a match may begin, for the start of a text, and for its end.
  const [ANYWHERE, NOWHERE, TEXT_START, TEXT_END] = [0, 1, 4, -1];
  // A step from a state as a number: where the row of the next one begins in the table of steps, behind a bit that tells whether
  // nothing has begun then. In the place of a step: that it is not known, or that there is a match.
  const [UNKNOWN, IS_MATCH, IS_QUIET, ROW_SHIFT] = [0, 1, 2, 2];

  const spans: number[] = [];
  if (!expression.test(text)) return spans;
  const matcher = expression.matcher(text);
  const engine: Engine = expression.re2();
  const automaton = engine.dfa;
  // What begins with a plain text, or only at the start, the engine finds sooner by itself.
  const isFoundSooner = (engine.prefix?.length ?? 0) > 2 || engine.prefixComplete || engine.onepass !== null;
  let goesAhead = !isFoundSooner && !automaton.failed;

  /** The state in front of a position, where nothing has begun. */
  const stateAt = (position: number): State | null => {
    if (position === 0) return automaton.start({ context: () => TEXT_START }, position);
    const before = text.charCodeAt(position - 1);
    const nothing = automaton.makeState([], 0, []);
    return nothing && automaton.step(nothing, automaton.runeClass(before), before, ANYWHERE);
  };

  // What is known of the automaton, as numbers. Its memory, which is bounded, bounds them too: there are some 500,000 at most.
  const { latin1Class, numClasses } = automaton;
  const states: State[] = [];
  const rows = new Map<State, number>();
  let steps = new Int32Array(16 * numClasses);

  /** Where the steps from a state begin. */
  const rowOf = (state: State): number => {
    const known = rows.get(state);
    if (known !== undefined) return known;
    const added = states.push(state) * numClasses;
    if (added + numClasses > steps.length) {
      const longer = new Int32Array(2 * steps.length);
      longer.set(steps);
      steps = longer;
    }
    rows.set(state, added);
    return added;
  };

  /** Finds out what a character does in the state of a row. @returns null where there are too many states */
  const newStep = (from: number, kind: number, character: number): number | null => {
    const state = states[from / numClasses - 1]!;
    const begun = automaton.step(state, kind, character, NOWHERE);
    const next = automaton.step(state, kind, character, ANYWHERE);
    if (next === null || (begun === null && !next.isMatch)) return null;
    const isQuiet = begun?.nfaStates.length === 0;
    const step = next.isMatch ? IS_MATCH : (rowOf(next) << ROW_SHIFT) | (isQuiet ? IS_QUIET : 0);
    steps[from + kind] = step;
    return step;
  };

  // Where the search is: the row of its state, and the last place that no match reaches across.
  let row = 0;
  let quiet = 0;

  /**
   * Goes on as long as steps are known and characters are of Latin 1, which takes most of the time: V8 compiles a small function
   * with nothing rare in it best.
   *
   * @returns the place of the first other character
   */
  const walk = (from: number, known: Int32Array, kinds: Int32Array, length: number): number => {
    let [position, begin, unreached] = [from, row, quiet];
    for (; position < length; position += 1) {
      const character = text.charCodeAt(position);
      if (character > 0xff) break;
      const step = known[begin + kinds[character]!]!;
      if (step <= IS_MATCH) break;
      if ((step & IS_QUIET) !== 0) unreached = position + 1;
      begin = step >> ROW_SHIFT;
    }
    [row, quiet] = [begin, unreached];
    return position;
  };

  /** Where the engine has to begin to find the first match from a position on; -1 if there is none, null if it is not known. */
  const searchStart = (from: number): number | null => {
    const first = stateAt(from);
    if (first === null) return null;
    [row, quiet] = [rowOf(first), from];
    for (let position = from; ;) {
      position = walk(position, steps, latin1Class, text.length);
      if (position >= text.length) break;
      const character = text.codePointAt(position)!;
      const kind = automaton.runeClass(character);
      const known = steps[row + kind]!;
      const step = known === UNKNOWN ? newStep(row, kind, character) : known;
      if (step === null) return null;
      if (step === IS_MATCH) return quiet;
      position += character > 0xffff ? 2 : 1;
      if ((step & IS_QUIET) !== 0) quiet = position;
      row = step >> ROW_SHIFT;
    }
    const end = automaton.step(states[row / numClasses - 1]!, numClasses, TEXT_END, ANYWHERE);
    if (end === null) return null;
    return end.isMatch ? quiet : -1;
  };

  for (let from = begin; spans.length < 2 * maximum && from <= text.length;) {
    const start: number | null = goesAhead ? searchStart(from) : from;
    if (start === null) {
      // An expression of too many states, which the engine searches for alone.
      automaton.clearCache();
      goesAhead = false;
    }
    if (start === -1 || !matcher.find(start ?? from)) break;
    const end = matcher.end();
    if (end > matcher.start()) {
      spans.push(matcher.start(), end);
      from = end;
    } else from = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return spans;
}
