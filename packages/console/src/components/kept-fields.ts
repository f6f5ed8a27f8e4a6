import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { forgetDraft, keepDraft, readDraft } from '../api/kept-drafts';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What was filled in, by the labels of the fields. */
type Filled = Readonly<Record<string, string | boolean>>;

/** How often fields are looked for again that appear only when others are filled in. */
const PASSES = 5;

interface KeptFields {
  /** Whether something was there from before. */
  readonly wasFilled: boolean;
  /** Is told of everything that is filled in. */
  readonly noted: (event: SyntheticEvent) => void;
  /** Ends it: what was filled in is given up. */
  readonly forget: () => void;
}

/**
 * Keeps what is filled into the fields of a form by their labels, whatever form it is, and fills it in again as a person would. Passwords
 * and other secrets are never kept.
 *
 * @param title of the form, which names it together with the address of its page
 * @param isPending whether it is being sent: a form that goes meanwhile was taken
 */
export function useKeptFields(form: RefObject<HTMLFormElement | null>, title: string, isPending: boolean): KeptFields {
  const [name] = useState(() => `${title} at ${location.pathname}`);
  const filled = useRef<Filled>(readDraft<Filled>(name, {}));
  const [wasFilled] = useState(() => Object.keys(readDraft<Filled>(name, {})).length > 0);
  useEffect(() => {
    let frame = 0;
    const fill = (passes: number): void => {
      const left = inputsOf(form.current).filter((input) => fillIn(input, filled.current[labelOf(input)]));
      if (passes > 1 && left.length > 0) frame = requestAnimationFrame(() => fill(passes - 1));
    };
    if (wasFilled) fill(PASSES);
    return () => cancelAnimationFrame(frame);
  }, [form, wasFilled]);
  const isBeingSent = useRef(false);
  useEffect(() => {
    isBeingSent.current = isPending;
  }, [isPending]);
  useEffect(
    () => () => {
      if (isBeingSent.current) forgetDraft(name);
    },
    [name],
  );
  return {
    wasFilled,
    noted: ({ target }) => {
      if (!isInput(target) || isSecret(target)) return;
      filled.current = { ...filled.current, [labelOf(target)]: valueOf(target) };
      keepDraft(name, filled.current);
    },
    forget: () => forgetDraft(name),
  };
}

function isInput(target: EventTarget): target is Input {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

function isSecret({ type }: Input): boolean {
  return type === 'password' || type === 'file';
}

function inputsOf(form: HTMLFormElement | null): Input[] {
  return [...(form?.elements ?? [])].filter(isInput).filter((input) => !isSecret(input));
}

function labelOf(input: Input): string {
  return input.labels?.[0]?.textContent ?? '';
}

function valueOf(input: Input): string | boolean {
  return input instanceof HTMLInputElement && input.type === 'checkbox' ? input.checked : input.value;
}

/** Fills a field in, as a person would, so that React hears of it. @returns whether it was another value before */
function fillIn(input: Input, value: string | boolean | undefined): boolean {
  if (value === undefined || valueOf(input) === value) return false;
  if (typeof value === 'boolean') {
    input.click();
    return true;
  }
  // React notices only what the browser itself sets.
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', value, input);
  input.dispatchEvent(new Event(input instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  return true;
}
