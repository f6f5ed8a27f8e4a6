/** What stands in forms that were left before they were sent, by the names of the forms. Gone with the window. */
const kept = new Map<string, unknown>();

/** Where drafts wait in the browser while the person signs in again, and whose they are. They are taken from there at once after it. */
const PLACE = 'gatehouse draft ';
const OWNER = 'gatehouse drafts of';

let owner: string | undefined;
let isSigningIn = false;

/** What stands in a form. @param initial what does where nothing was left in it */
export function readDraft<Draft>(name: string, initial: Draft): Draft {
  return kept.has(name) ? (kept.get(name) as Draft) : initial;
}

/** Whether leaving the window would lose something. */
export function hasDraft(name: string): boolean {
  return kept.has(name) && !isSigningIn;
}

/** Keeps what stands in a form. It may be of any form that JSON has, and never has a secret. */
export function keepDraft(name: string, draft: unknown): void {
  kept.set(name, draft);
}

/** Ends the draft of a form: it was sent, or given up. */
export function forgetDraft(name: string): void {
  kept.delete(name);
}

/** Whose drafts these are, from the moment on at which the service has said who is signed in. @param person with their organization */
export function ownDrafts(person: string): void {
  owner = person;
}

/** Puts all drafts where the window finds them again, because it goes to the sign-in page and comes back. */
export function keepDraftsForSignIn(): void {
  isSigningIn = true;
  if (owner === undefined) return;
  sessionStorage.setItem(OWNER, owner);
  for (const [name, draft] of kept) {
    try {
      sessionStorage.setItem(PLACE + name, JSON.stringify(draft));
    } catch {
      // One that is too large for it, as with pictures, is lost; the others are kept.
    }
  }
}

/** Whether drafts wait for the person who has signed in again. */
export function haveDraftsWaited(): boolean {
  return sessionStorage.getItem(OWNER) !== null;
}

/** Takes drafts back that have waited, if they are those of the person who is signed in now; otherwise nobody gets them. */
export function takeDraftsBack(person: string): void {
  const isTheirs = sessionStorage.getItem(OWNER) === person;
  const waiting = Object.keys(sessionStorage).filter((place) => place.startsWith(PLACE));
  for (const place of waiting) {
    const draft = sessionStorage.getItem(place)!;
    if (isTheirs) kept.set(place.slice(PLACE.length), JSON.parse(draft));
    sessionStorage.removeItem(place);
  }
  sessionStorage.removeItem(OWNER);
}
