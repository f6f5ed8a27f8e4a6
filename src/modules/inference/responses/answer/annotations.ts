import { isObject } from '../../../../api/validation/constraints.js';

/** Writes an annotation of a chat completion, which has its fields in an object of their own. Other kinds are undefined. */
export function annotationOf(annotation: unknown): object | undefined {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || !isObject(annotation.url_citation))
    return undefined;
  const { url, title, start_index: start, end_index: end, content } = annotation.url_citation;
  if (typeof url !== 'string') return undefined;
  return {
    type: 'url_citation',
    url,
    title: typeof title === 'string' ? title : '',
    start_index: typeof start === 'number' ? start : 0,
    end_index: typeof end === 'number' ? end : 0,
    ...(typeof content === 'string' && { content }),
  };
}
