import type { RE2JS } from 're2js';

/** A state of the engine's automaton, which shows a match one character behind its end. */
interface State {
  readonly isMatch: boolean;
  /** How far the matches have come that have begun; empty where none has. */
  readonly nfaStates: readonly number[];
  /** By the kind of the next character, as far as they are known. */
  readonly next: readonly (State | null)[] | null;
  /** The same with nothing that begins at that character. */
  readonly nextAnchored: readonly (State | null)[] | null;
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
 * @returns the start and the end of each match in UTF-16 code units, one after the other. Empty matches are left out
 */
export function matchSpans(expression: RE2JS, text: string, maximum: number): number[] {
  // The engine's words for where a match may begin, for the start of a text, and for its end.
  const [ANYWHERE, NOWHERE, TEXT_START, TEXT_END] = [0, 1, 4, -1];

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

  /** Where the engine has to begin to find the first match from a position on; -1 if there is none, null if it is not known. */
  const searchStart = (from: number): number | null => {
    const { latin1Class, numClasses } = automaton;
    let quiet = from;
    let state = stateAt(from);
    for (let position = from; position < text.length;) {
      if (state === null) return null;
      let character = text.charCodeAt(position);
      if (character >= 0xd800) character = text.codePointAt(position)!;
      const kind = character < 256 ? latin1Class[character]! : automaton.runeClass(character);
      const begun: State | null = state.nextAnchored?.[kind] ?? automaton.step(state, kind, character, NOWHERE);
      state = state.next?.[kind] ?? automaton.step(state, kind, character, ANYWHERE);
      if (state?.isMatch === true) return quiet;
      if (begun === null) return null;
      position += character > 0xffff ? 2 : 1;
      if (begun.nfaStates.length === 0) quiet = position;
    }
    const end = state && automaton.step(state, numClasses, TEXT_END, ANYWHERE);
    if (end === null) return null;
    return end.isMatch ? quiet : -1;
  };

  for (let from = 0; spans.length < 2 * maximum && from <= text.length;) {
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
