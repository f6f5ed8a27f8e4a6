import { type ReactNode, useState } from 'react';
import { Field } from '../../components/fields';
import { Icon } from '../../components/icon';

/** A picture that goes with a message. */
export interface Picture {
  readonly name: string;
  /** A data URL. */
  readonly url: string;
}

const MOST = 4;
const MOST_MB = 4;

/** Pictures of the person's computer, which stay in the browser until they are sent with a message. */
export function PictureField({
  value,
  onChange,
}: {
  readonly value: readonly Picture[];
  readonly onChange: (value: readonly Picture[]) => void;
}): ReactNode {
  const [issue, setIssue] = useState<string>();
  const add = async (files: readonly File[]): Promise<void> => {
    const tooLarge = files.find(({ size }) => size > MOST_MB * 1_000_000);
    if (tooLarge !== undefined) setIssue(`${tooLarge.name} is larger than ${MOST_MB} MB.`);
    else if (value.length + files.length > MOST) setIssue(`A message has ${MOST} pictures at most.`);
    else {
      setIssue(undefined);
      onChange([...value, ...(await Promise.all(files.map(pictureOf)))]);
    }
  };
  return (
    <>
      <Field label="Pictures" hint={`At most ${MOST} of ${MOST_MB} MB each.`} issue={issue}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            multiple
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              event.target.value = '';
              void add(files);
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul className="plain-list" aria-label="Pictures of the message">
          {value.map(({ name }, index) => (
            // Two files may have one name.
            <li key={index} className="linked-filter">
              {name}
              <button
                type="button"
                className="plain"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(value.filter((_, other) => other !== index))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function pictureOf(file: File): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, url: reader.result as string });
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
