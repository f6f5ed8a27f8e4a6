import type { CatalogEndpoint, ImageOffer } from '../../../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import { hasNoPrice, priceFaultOf } from '../../../catalog/price-rules.js';
import type { ImagePrice, ModelPricing } from '../../../catalog/model-facts.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { nonEmptyText, objectOf } from '../../../codecs/chat/json-values.js';
import { type PixelSize, pixelsOf, sideOf, tierOf, TIERS } from '../../../codecs/chat/image-size.js';
import { largerOf, textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import { sizeOfDataUrl } from './answer-images.js';
import type { Candidate } from '../request/candidate.js';

/** The pixels of a megapixel, as providers count them: a square of 1,024. */
const MEGAPIXEL = 2 ** 20;

/** The side of the square that counts where nothing says how large an image is, in pixels. */
const UNKNOWN_SIDE = 2_048;

/** The words that prices have for how well an image is drawn. */
const QUALITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd']);

const TIER_NAMES: ReadonlySet<string> = new Set(TIERS.map(([tier]) => tier.toLowerCase()));

/** What a request says of the images that it asks for, as far as they cost more or less for it. */
export interface ImageWishes {
  /** Pixels, as `1024x768`. */
  readonly size?: string;
  /** A tier of sizes, such as `2K`. */
  readonly resolution?: string;
  readonly quality?: string;
  /** The images that are edited or followed: data URLs, or addresses. */
  readonly references: readonly string[];
}

/** What is known of the images that are charged; what is undefined is not known. */
interface KnownImage {
  readonly pixels: PixelSize | undefined;
  readonly tier: string | undefined;
  readonly quality: string | undefined;
}

/**
 * The endpoint with the most that it may charge for a request, in the form in which all prices are: what an image costs depends on its size
 * and quality, which a request need not name (docs/interface/images.md#cost). An endpoint without prices of images is charged by those
 * of its tokens; without these, too, it is not asked.
 */
export function pricedEndpoint(endpoint: CatalogEndpoint, isListed: boolean, body: ImageWishes): CatalogEndpoint {
  const { image, row } = endpoint;
  if (image === undefined || image.pricing.length === 0)
    return isListed ? endpoint : { ...endpoint, isChargeable: false };
  const pricing = pricingOf(image, body, wantedImage(body));
  return {
    ...endpoint,
    row: { ...row, pricing },
    isFree: image.pricing.every(({ cost_usd: cost }) => cost === 0),
    hasNoPrice: hasNoPrice(pricing),
    isChargeable: priceFaultOf(pricing) === undefined,
  };
}

/**
 * The prices by which drawn images are charged, when it is known how large they are: never more than what was reserved.
 *
 * @param endpoint as {@link pricedEndpoint} gives it
 * @param sizes of those whose head says it
 */
export function pricingOfDrawn(
  { image, row }: CatalogEndpoint,
  body: ImageWishes,
  sizes: readonly (PixelSize | undefined)[],
): ModelPricing {
  const drawn = image && pricesOfSizes(image, body, sizes);
  return drawn === undefined ? row.pricing : cheaperImages(row.pricing, drawn);
}

/** The prices of images of these sizes; undefined where the size of one is not known. */
function pricesOfSizes(
  image: ImageOffer,
  wishes: ImageWishes,
  sizes: readonly (PixelSize | undefined)[],
): ModelPricing | undefined {
  const largest = sizes.reduce((one, other) => (areaOf(other) > areaOf(one) ? other : one), undefined);
  if (image.pricing.length === 0 || largest === undefined || sizes.includes(undefined)) return undefined;
  const { tier = tierOf(largest), quality } = wantedImage(wishes);
  return pricingOf(image, wishes, { pixels: largest, tier, quality });
}

function cheaperImages(reserved: ModelPricing, drawn: ModelPricing): ModelPricing {
  return unitsOf(drawn.image_output ?? '0') > unitsOf(reserved.image_output ?? '0') ? reserved : drawn;
}

/**
 * The endpoints of a model with what they charge for images in the answers of chats: as much as where only images are asked for. Their other
 * prices are those of the list.
 */
export function pricedForChats(
  { endpoints, imageEndpoints }: CatalogModel,
  body: ClientChatRequest,
): readonly CatalogEndpoint[] {
  if (imageEndpoints.length === 0) return endpoints;
  const wishes = wishesOfChat(body);
  const offers = new Map(imageEndpoints.map(({ row, image }) => [row.providerSlug, image]));
  return endpoints.map((endpoint) => {
    const image = offers.get(endpoint.row.providerSlug);
    if (image === undefined || image.pricing.length === 0) return endpoint;
    const pricing = withImagePrices(endpoint.row.pricing, pricingOf(image, wishes, wantedImage(wishes)));
    return {
      ...endpoint,
      image,
      row: { ...endpoint.row, pricing },
      hasNoPrice: hasNoPrice(pricing),
      isChargeable: endpoint.isChargeable && priceFaultOf(pricing) === undefined,
    };
  });
}

/** The prices by which a chat is charged whose answer has images of these sizes: never more for one of them than was reserved. */
export function pricingOfChat(
  { endpoint: { image, row } }: Candidate,
  body: ClientChatRequest,
  sizes: readonly (PixelSize | undefined)[],
): ModelPricing {
  const drawn = image && pricesOfSizes(image, wishesOfChat(body), sizes);
  return drawn === undefined ? row.pricing : cheaperImages(row.pricing, withImagePrices(row.pricing, drawn));
}

/** Prices of a chat with those of the images of its answer. */
function withImagePrices(listed: ModelPricing, images: ModelPricing): ModelPricing {
  const perImage = unitsOf(images.image_output ?? '0') + unitsOf(images.request ?? '0');
  return { ...listed, image_output: textOfUnits(perImage), image_output_token: images.completion };
}

function wishesOfChat(body: ClientChatRequest): ImageWishes {
  const { image_size: tier, quality } = objectOf(body['image_config']) ?? {};
  const [resolution, drawnAs] = [nonEmptyText(tier), nonEmptyText(quality)];
  return {
    references: [],
    ...(resolution !== undefined && { resolution }),
    ...(drawnAs !== undefined && { quality: drawnAs }),
  };
}

function areaOf(size: PixelSize | undefined): number {
  return size === undefined ? 0 : size.width * size.height;
}

function wantedImage({ size, resolution, quality }: ImageWishes): KnownImage {
  const pixels = pixelsOf(size);
  return { pixels, tier: resolution ?? (pixels && tierOf(pixels)), quality: quality === 'auto' ? undefined : quality };
}

function pricingOf(offer: ImageOffer, body: ImageWishes, known: KnownImage): ModelPricing {
  const output = offer.pricing.filter(({ billable }) => billable === 'output_image');
  const references = offer.pricing.filter(
    ({ billable }) => billable === 'input_image' || billable === 'input_reference',
  );
  const texts = offer.pricing.filter(({ billable }) => billable === 'input_text');
  const nothing: KnownImage = { pixels: undefined, tier: undefined, quality: undefined };
  const drawnMegapixels = megapixelsOf(known.pixels ?? squareOf(known.tier ?? largestTierOf(offer)));
  const sentMegapixels = Math.max(
    0,
    ...body.references.map((url) => megapixelsOf(sizeOfDataUrl(url) ?? squareOf(undefined))),
  );
  return {
    prompt: textOfUnits(highest(texts, 'token', nothing)),
    completion: textOfUnits(highest(output, 'token', known)),
    request: textOfUnits(
      [output, references, texts].reduce((sum, lines) => sum + highest(lines, 'request', known), 0n),
    ),
    image_token: textOfUnits(highest(references, 'token', nothing)),
    image: textOfUnits(highest(references, 'image', nothing) + ofMegapixels(references, sentMegapixels, nothing)),
    image_output: textOfUnits(highest(output, 'image', known) + ofMegapixels(output, drawnMegapixels, known)),
  };
}

function squareOf(tier: string | undefined): PixelSize {
  const side = sideOf(tier) ?? UNKNOWN_SIDE;
  return { width: side, height: side };
}

function largestTierOf({ supportedParameters: { resolution } }: ImageOffer): string | undefined {
  const tiers: readonly string[] = resolution?.type === 'enum' ? resolution.values : [];
  return TIERS.findLast(([tier]) => tiers.includes(tier))?.[0];
}

/** Parts of a megapixel count as whole ones. */
function megapixelsOf(size: PixelSize): number {
  return Math.ceil(areaOf(size) / MEGAPIXEL);
}

function ofMegapixels(lines: readonly ImagePrice[], megapixels: number, known: KnownImage): bigint {
  const named = (word: string): readonly ImagePrice[] => lines.filter(({ variant = '' }) => variant.includes(word));
  const [first, further] = [named('first'), named('additional')];
  if (first.length === 0 && further.length === 0) return highest(lines, 'megapixel', known) * BigInt(megapixels);
  const [ofFirst, ofFurther] = [first, further].map((some) => highest(some, 'megapixel', known));
  return ofFirst! + ofFurther! * BigInt(Math.max(0, megapixels - 1));
}

/**
 * The highest price of a unit that may apply: of the line that says the most of what is known, and of all that say something that is
 * not known. Where each says something else than is known, the highest of all.
 */
function highest(lines: readonly ImagePrice[], unit: ImagePrice['unit'], known: KnownImage): bigint {
  const ofUnit = lines.filter((line) => line.unit === unit).map((line) => ({ line, words: wordsOf(line, known) }));
  const possible = ofUnit.filter(({ words }) => !words.includes(false));
  const certain = possible.filter(({ words }) => !words.includes(undefined));
  const most = Math.max(0, ...certain.map(({ words }) => words.length));
  const open = possible.filter(({ words }) => words.includes(undefined) || words.length === most);
  const applying = possible.length === 0 ? ofUnit : open;
  return applying.map(({ line }) => unitsOf(String(line.cost_usd))).reduce(largerOf, 0n);
}

/** Whether each word of a variant says what is known; undefined where it says something that is not. */
function wordsOf(
  { variant = '' }: ImagePrice,
  { pixels, tier, quality }: KnownImage,
): readonly (boolean | undefined)[] {
  const size = pixels && `${pixels.width}x${pixels.height}`;
  return variant
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== '' && !['first', 'additional', 'megapixel', 'image', 'quality'].includes(word))
    .map((word) => {
      if (TIER_NAMES.has(word)) return isSame(word, tier);
      if (QUALITIES.has(word)) return isSame(word, quality);
      return pixelsOf(word) === undefined ? undefined : isSame(word, size);
    });
}

/** @returns undefined where it is not known */
function isSame(word: string, known: string | undefined): boolean | undefined {
  return known === undefined ? undefined : word === known.toLowerCase();
}
