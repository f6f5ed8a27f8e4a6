/** A piece of HTML, which is not escaped again where it is put into another one. */
export class Html {
  /** @param text of HTML that is safe to show */
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What a template may have in its places: text and numbers are escaped, of lists every item is put in, and nothing for what is absent. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

/** Writes HTML: a template whose values are escaped, so that no text of a request becomes markup or leaves its attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, index) => text + textOf(parts[index])).join(''));
}

function textOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
