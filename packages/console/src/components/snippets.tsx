import { type ReactNode, useId, useState } from 'react';
import { addressOf } from '../api/client';
import { useSession } from '../api/session';
import { CopyButton } from './copy-button';
import { KEY_VARIABLE, type ShownChat, SNIPPETS } from './snippet-texts';

/** A picture in a snippet stands for a longer one, which nobody could read. */
const LONGEST_SHOWN_URL = 200;

/** How a chat is sent from a program: the address of the service, and a text to copy for each of some libraries. */
export function Snippets({ chat }: { readonly chat: ShownChat }): ReactNode {
  const session = useSession();
  const id = useId();
  const [name, setName] = useState(SNIPPETS[0]!.name);
  if (session === undefined) return null;
  const base = addressOf(session.base_path.slice(1));
  const text = SNIPPETS.find((kind) => kind.name === name)!.text(base, withShortPictures(chat));
  return (
    <div className="snippets">
      <p>
        Address: <code>{base}</code>
      </p>
      <div className="snippet-choice">
        <label htmlFor={id}>Copy as</label>
        <select id={id} value={name} onChange={(event) => setName(event.target.value)}>
          {SNIPPETS.map((kind) => (
            <option key={kind.name}>{kind.name}</option>
          ))}
        </select>
        <CopyButton text={text} label="Copy the snippet" />
      </div>
      <pre tabIndex={0} aria-label={`A request with ${name}`}>
        <code>{text}</code>
      </pre>
      <p className="quiet">
        It reads the key from the environment variable <code>{KEY_VARIABLE}</code>.
      </p>
    </div>
  );
}

function withShortPictures(chat: ShownChat): ShownChat {
  return JSON.parse(JSON.stringify(chat), (name, value: unknown) =>
    name === 'url' && typeof value === 'string' && value.length > LONGEST_SHOWN_URL
      ? value.replace(/,.*$/s, ',YOUR_PICTURE_IN_BASE64')
      : value,
  ) as ShownChat;
}
