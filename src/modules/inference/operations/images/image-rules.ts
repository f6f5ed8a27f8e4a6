import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { UploadedFile } from '../../../../http/input/uploaded-file.js';
import { isObject } from '../../../../http/validation/constraints.js';
import { optionRules } from '../../rules/option-rules.js';
import { imageHeadOf } from '../../../codecs/chat/image-head.js';
import { pixelsOf, ratioOf, tierOf, TIERS } from '../../../codecs/chat/image-size.js';

type Body = Readonly<Record<string, unknown>>;

/** The ratios of a width to a height that can be asked for. */
export const ASPECT_RATIOS = [
  ...['1:1', '1:2', '1:4', '1:8', '2:1', '2:3', '3:2', '3:4', '4:1', '4:3', '4:5', '5:4', '8:1', '9:16', '16:9'],
  ...['9:19.5', '19.5:9', '9:20', '20:9', '9:21', '21:9', 'auto', '2.35:1', '5:2'],
];

/** How many references a request may have. */
export const MAXIMUM_REFERENCES = 16;

/** The bounds of a side, in pixels. */
const LEAST_PIXELS = 16;
const MOST_PIXELS = 8_192;

/** How far the sides of a size may be off a ratio, because they are whole numbers. */
const ALLOWED_DIFFERENCE = 0.05;

/** How much of a file says what it is, in bytes. */
const HEAD_BYTES = 2_048;

const ADDRESS = /^(?:https:\/\/.|data:image\/[\w.+-]+(?:;[\w=.-]+)*,)/i;

/** What fields of a request to draw images say together, and what a reference is (docs/interface/images.md). */
export function imageRules(body: Body): IssueWithReason[] {
  return [...sizeIssues(body), ...referenceIssues(body), ...optionRules(body)];
}

/** The rules of a request to draw images in the form of OpenAI, where a size may be `auto`. */
export function openAiImageRules(body: Body): IssueWithReason[] {
  const { size } = body;
  return [...(size === 'auto' ? [] : sizeIssues({ size })), ...optionRules(body)];
}

/** Images that are edited, and their mask, are at addresses. */
export function editedAddressRules({ images, mask }: Body): IssueWithReason[] {
  const list = Array.isArray(images) ? images : [];
  return [
    ...list.flatMap((image: unknown, index) => issuesOfAddress(image, 'image_url', joinPath('images', index))),
    ...issuesOfAddress(mask, 'image_url', 'mask'),
  ];
}

/** Files of a form that are edited, and their mask, are images. */
export function editedFileRules({ image, mask }: Body): IssueWithReason[] {
  const list = Array.isArray(image) ? image : [];
  return [
    ...list.flatMap((file: unknown, index) => issuesOfFile(file, joinPath('image', index))),
    ...issuesOfFile(mask, 'mask'),
  ];
}

/** The head of a file that is an image; undefined for any other. */
export function imageHeadOfFile(file: UploadedFile): ReturnType<typeof imageHeadOf> {
  return imageHeadOf(file.head(HEAD_BYTES).toString('base64'));
}

function issuesOfFile(file: unknown, path: string): IssueWithReason[] {
  const isOther = file instanceof UploadedFile && file.size > 0 && imageHeadOfFile(file) === undefined;
  return isOther ? [{ path, message: 'must be a PNG, JPEG, WebP, GIF, AVIF or SVG' }] : [];
}

function sizeIssues({ size, resolution, aspect_ratio: ratio }: Body): IssueWithReason[] {
  if (typeof size !== 'string') return [];
  const issue = (message: string): IssueWithReason[] => [{ path: 'size', message }];
  if (TIERS.some(([tier]) => tier === size)) {
    const isOther = typeof resolution === 'string' && resolution !== size;
    return isOther ? issue('must not be another tier than resolution') : [];
  }
  const pixels = pixelsOf(size);
  if (pixels === undefined) return issue('must be a tier (512, 1K, 1.5K, 2K, 4K) or pixels such as 1024x768');
  const sides = [pixels.width, pixels.height];
  if (sides.some((side) => side < LEAST_PIXELS || side > MOST_PIXELS)) {
    return issue(`must have sides of ${LEAST_PIXELS} to ${MOST_PIXELS} pixels`);
  }
  const named = typeof ratio === 'string' ? ratioOf(ratio) : undefined;
  return [
    ...(typeof resolution === 'string' && tierOf(pixels) !== resolution ? issue('must fit the resolution') : []),
    ...(named !== undefined && Math.abs(Math.log(pixels.width / pixels.height / named)) > ALLOWED_DIFFERENCE
      ? issue('must fit the aspect_ratio')
      : []),
  ];
}

function referenceIssues({ input_references: references }: Body): IssueWithReason[] {
  if (references === undefined || references === null) return [];
  const path = 'input_references';
  if (!Array.isArray(references)) return [{ path, message: 'must be array' }];
  if (references.length > MAXIMUM_REFERENCES) {
    return [{ path, message: `must NOT have more than ${MAXIMUM_REFERENCES} items` }];
  }
  return references.flatMap((reference: unknown, index) => issuesOfReference(reference, joinPath(path, index)));
}

function issuesOfReference(reference: unknown, path: string): IssueWithReason[] {
  if (!isObject(reference)) return [{ path, message: 'must be object' }];
  if (reference.type !== 'image_url') return [{ path: joinPath(path, 'type'), message: 'must be one of image_url' }];
  const place = joinPath(path, 'image_url');
  if (!isObject(reference.image_url)) return [{ path: place, message: 'must be object' }];
  const { url } = reference.image_url;
  return typeof url === 'string'
    ? issuesOfAddress(reference.image_url, 'url', place)
    : [{ path: joinPath(place, 'url'), message: 'must be string' }];
}

/** @param field of the object that has an address @param path of the object */
function issuesOfAddress(value: unknown, field: string, path: string): IssueWithReason[] {
  const url = isObject(value) ? value[field] : undefined;
  if (typeof url !== 'string' || ADDRESS.test(url)) return [];
  return [{ path: joinPath(path, field), message: 'must be an https URL, or a data URL of an image' }];
}
