import { type ReactNode, useSyncExternalStore } from 'react';

/** How long a message stays on the page, in milliseconds. A screen reader says it once. */
const SHOWN_MS = 6_000;

let message = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

/** Says what has been done: on the page for a moment, and to screen readers, without moving the focus. */
export function announce(text: string): void {
  clearTimeout(timer);
  show(text);
  timer = setTimeout(() => show(''), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where announcements appear. It is always there, because screen readers say only what changes in a region that they know. */
export function Announcements(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => message);
  return (
    <div className="announcements" role="status" aria-live="polite">
      {shown}
    </div>
  );
}
