import { UploadedFile } from '../../../http/input/uploaded-file.js';
import type { ImageRequest } from '../chat/images.js';
import { untranslatable } from '../errors/provider-error.js';
import { type FormFile, MultipartForm } from '../multipart-form.js';

/** The head of a data URL (RFC 2397) of an image. */
const DATA_HEAD = /^data:(image\/[\w.+-]{1,64})((?:;[\w=.-]+)*),/i;

/**
 * Writes a request with images as a form with files (https://platform.openai.com/docs/api-reference/images/createEdit). One image is
 * `image`, as servers have it that take one alone; several are the list `image[]`.
 *
 * @param fields of the request besides its images
 * @throws ProviderError for an image of which only the address is given
 */
export function imageEditForm(fields: Readonly<Record<string, unknown>>, request: ImageRequest): MultipartForm {
  const { references, mask } = request;
  const name = references.length === 1 ? 'image' : 'image[]';
  const texts = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new MultipartForm(Object.fromEntries(texts) as Readonly<Record<string, string>>, [
    ...references.map((url, index) => fileOf(name, `image-${index + 1}`, url)),
    ...(mask === undefined ? [] : [fileOf('mask', 'mask', mask)]),
  ]);
}

function fileOf(name: string, title: string, url: string): FormFile {
  const head = DATA_HEAD.exec(url);
  if (head === null) throw untranslatable('addresses of images');
  const [whole, mediaType, parameters] = head;
  const data = url.slice(whole.length);
  const bytes = /;base64$/i.test(parameters!) ? Buffer.from(data, 'base64') : Buffer.from(unescaped(data));
  const filename = `${title}.${mediaType!.toLowerCase().slice('image/'.length).split('+', 1)[0]!}`;
  return {
    name,
    filename,
    mediaType: mediaType!.toLowerCase(),
    file: new UploadedFile(filename, mediaType!, [bytes], bytes.length),
  };
}

function unescaped(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    throw untranslatable('data URLs of this form');
  }
}
