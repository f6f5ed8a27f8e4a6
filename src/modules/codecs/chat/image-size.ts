/** The tiers of sizes, and the side of a square of each, in pixels. */
export const TIERS = [
  ['512', 512],
  ['1K', 1_024],
  ['1.5K', 1_536],
  ['2K', 2_048],
  ['4K', 4_096],
] as const satisfies readonly (readonly [string, number])[];

/** A width and a height, in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** What is said of the size of an image. */
export interface SaidSize {
  readonly size?: string | undefined;
  readonly resolution?: string | undefined;
  readonly aspect_ratio?: string | undefined;
}

const PIXELS = /^(\d{1,5})x(\d{1,5})$/;

/** The pixels that a size names. @returns undefined for another text */
export function pixelsOf(size: string | undefined): PixelSize | undefined {
  const [, width, height] = PIXELS.exec(size ?? '') ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** The width over the height that a ratio names. @returns undefined for `auto` and none */
export function ratioOf(aspectRatio: string | undefined): number | undefined {
  const [width, height] = (aspectRatio ?? '').split(':').map(Number);
  return width! > 0 && height! > 0 ? width! / height! : undefined;
}

/** The side of the square that a tier stands for, in pixels. */
export function sideOf(resolution: string | undefined): number | undefined {
  return TIERS.find(([tier]) => tier === resolution)?.[1];
}

/** The tier whose squares have about as many pixels. */
export function tierOf({ width, height }: PixelSize): string {
  const side = Math.sqrt(width * height);
  const distanceTo = (of: number): number => Math.abs(Math.log(side / of));
  return TIERS.reduce((nearest, tier) => (distanceTo(tier[1]) < distanceTo(nearest[1]) ? tier : nearest))[0];
}
