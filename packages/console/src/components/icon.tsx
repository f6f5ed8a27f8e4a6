import type { ReactNode } from 'react';

/** Paths in a square of 16. */
const PATHS = {
  overview: 'M2 14V9m4 5V5m4 9V7m4 7V2',
  key: 'M6.5 9.5 14 2m-2 2 2 2M9.5 6.5l2 2M5 14a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  requests: 'M2 4h12M2 8h12M2 12h7',
  playground: 'M2 2.500h12v8H7l-3 3v-3H2zM5 5.500h6M5 8h4',
  preset: 'M3 2h10v12l-5-3.500L3 14zM6 5h4M6 7.500h4',
  guardrail: 'M8 1.5 2.5 4v4c0 3.5 2.5 5.5 5.5 6.5 3-1 5.5-3 5.5-6.5V4z',
  inspector: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zm3.500-1.500L14 14M5 7l1.500 1.500L9.500 5.500',
  tools: 'M10 6.500 4 12.500l-1.500-1.500 6-6M13.500 4.500a3 3 0 1 1-3-3l-1 2 2 2z',
  budget:
    'M8 2v12M11 5c-.5-1-1.5-1.5-3-1.5-2 0-3 .8-3 2.2 0 3.3 6 1.3 6 4.6 0 1.400-1.2 2.2-3 2.2-1.6 0-2.700-.6-3.2-1.700',
  limit: 'M2.5 12.5a6.5 6.5 0 1 1 11 0M8 9.5l3-4M2 14.5h12',
  workspace: 'M2 3h5v5H2zM9 3h5v5H9zM2 10h5v4H2zM9 10h5v4H9z',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-4.5 6c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3.5a2.5 2.5 0 0 1 0 4.5m1.5 2.5c1.3.6 2 1.900 2 3.5',
  group:
    'M8 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM3.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm9 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 6.5v2m0 0-3 2m3-2 3 2',
  settings:
    'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1v2.5M8 12.5V15M1 8h2.5M12.5 8H15M3 3l1.800 1.800M11.2 11.2 13 13M13 3l-1.800 1.800M4.800 11.2 3 13',
  model: 'M8 1.5 14 5v6l-6 3.5L2 11V5zM2 5l6 3.5L14 5M8 8.5v6',
  provider: 'M3 3h10v4H3zM3 9h10v4H3zM5.5 5h.01M5.5 11h.01',
  connection: 'M6 10l4-4M7 4.500 9 2.500a3 3 0 0 1 4.500 4.500l-2 2M9 11.500l-2 2A3 3 0 0 1 2.500 9l2-2',
  destination: 'M2 8h11M9 4l4 4-4 4',
  alert: 'M4 11V7a4 4 0 0 1 8 0v4l1.500 1.500h-11zM6.500 14.500h3',
  audit: 'M4 1.5h6l3 3v10H4zM6 7h5M6 10h5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'm3 3 10 10M13 3 3 13',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** A small picture beside words that say the same, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
