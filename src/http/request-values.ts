/**
 * The value of a field in a request, or the current value if the request omits the field. Null is a value, which clears the
 * field (docs/interface/conventions.md).
 */
export function valueOr<Value>(value: Value | undefined, current: Value): Value {
  return value === undefined ? current : value;
}

/** Removes duplicates from a list, keeping first occurrences. Null and undefined are returned unchanged. */
export function withoutRepetition<List extends readonly unknown[] | null | undefined>(list: List): List {
  return (list == null ? list : [...new Set(list)]) as List;
}
