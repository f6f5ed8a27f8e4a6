/** A property of this name is special: to assign it replaces the prototype of the object. */
const PROTOTYPE = '__proto__';

/** An escaped letter of the name, which only a hostile document has. */
const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/** Whether a JSON text may have a field `__proto__`, which JSON.parse makes an own field of its object. */
export function mayHavePrototypeField(text: string): boolean {
  return text.includes(PROTOTYPE) || (text.includes('\\u00') && ESCAPED_LETTER.test(text));
}

/**
 * Removes every field `__proto__` of a parsed document: where the fields of an object are copied one by one, it would become what the
 * copy inherits from, and be read as if the copy had been validated with it.
 *
 * @param value is changed
 */
export function removePrototypeFields(value: unknown): void {
  // Not recursive, because documents nest deep.
  const open: object[] = [];
  const enter = (part: unknown): void => {
    if (typeof part === 'object' && part !== null) open.push(part);
  };
  enter(value);
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (Object.hasOwn(object, PROTOTYPE)) Reflect.deleteProperty(object, PROTOTYPE);
    Object.values(object).forEach(enter);
  }
}
