import type { Schema } from '../api/types';

/** Where a content filter applies. */
export type FilterPlace = Schema<'ContentFilterPlace'>;

/** The places in the order of the interface, and how the console calls them. */
export const FILTER_PLACES: readonly (readonly [FilterPlace, label: string])[] = [
  ['request', 'Requests'],
  ['response', 'Answers'],
  ['tool_call', 'Arguments of tools that answers call'],
  ['tool_result', 'Results of tools'],
];

/** Where a filter applies that does not say it. */
const USUAL: readonly FilterPlace[] = ['request', 'tool_result'];

/** Where a filter applies. */
export function placesOf({
  applies_to: places = USUAL,
}: {
  readonly applies_to?: readonly FilterPlace[];
}): readonly FilterPlace[] {
  return places;
}

/** Places in a few words. */
export function placeNames(places: readonly FilterPlace[]): string {
  return FILTER_PLACES.filter(([place]) => places.includes(place))
    .map(([, label]) => label.toLowerCase())
    .join(', ');
}
