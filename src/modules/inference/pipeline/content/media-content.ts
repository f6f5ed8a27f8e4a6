import { isUtf8 } from 'node:buffer';

/** What media are by their first bytes: pictures, sound or moving pictures, PDFs, archives of office documents, and office documents of old. */
export type MediaKind = 'picture' | 'recording' | 'pdf' | 'archive' | 'compound';

/** The kinds that media may be by what is said of them; `headless` is that of samples of sound, which have no head. */
export type ClaimedKinds = ReadonlySet<MediaKind | 'headless'>;

/** How many bytes at the beginning say what media are. A PDF may have others before its mark (ISO 32000-1, annex H). */
const HEAD_BYTES = 1_024;

/** How many characters {@link HEAD_BYTES} take in base64, with line breaks. */
const HEAD_LETTERS = 1_536;

/** The first bytes of each kind, as the characters of latin1. */
const HEADS: readonly (readonly [kind: MediaKind, head: RegExp])[] = [
  ['pdf', /%PDF-/],
  ['archive', /^PK(?:\x03\x04|\x05\x06)/],
  ['compound', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  [
    'picture',
    /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|BM|II\*\0|MM\0\*|II\+\0|MM\0\+|\0\0[\x01\x02]\0|8BPS|\xff\x0a|P[1-6]\s)/,
  ],
  ['picture', /^RIFF[^]{4}WEBP|^[^]{4}(?:ftyp(?:hei[cfmsx]|hev[cx]|mif1|msf1|avi[fs])|jP {2}|JXL )/],
  ['recording', /^RIFF[^]{4}(?:WAVE|AVI |RMID)|^(?:RF64|RIFX)[^]{4}WAVE|^FORM[^]{4}AIF[FC]/],
  [
    'recording',
    /^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xfd]|\xff[\xf0\xf1\xf8\xf9]|ADIF|fLaC|OggS|#!AMR|\x2e\x73\x6e\x64|MThd|caff)/,
  ],
  [
    'recording',
    /^(?:\x30\x26\xb2\x75|\x1a\x45\xdf\xa3|\0\0\x01[\xb0-\xbf]|FLV\x01|G[^]{187}G|\.RMF)|^[^]{4}(?:ftyp|moov|mdat|wide|free|skip|pnot)/,
  ],
];

/** Characters that texts do not have. */
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

const PICTURE: ClaimedKinds = new Set(['picture']);
const RECORDING: ClaimedKinds = new Set(['recording']);
const SAMPLES: ClaimedKinds = new Set(['headless', 'recording']);
const PDF: ClaimedKinds = new Set(['pdf']);
const OFFICE: ClaimedKinds = new Set(['compound', 'archive']);
const OFFICE_ARCHIVE: ClaimedKinds = new Set(['archive']);
const TEXT: ClaimedKinds = new Set();

/** What media types say that media are. Others say nothing, as `application/octet-stream` does. */
const KINDS_BY_TYPE: readonly (readonly [type: RegExp, kinds: ClaimedKinds])[] = [
  [/^image\//, PICTURE],
  [/^audio\/(?:pcm|x-pcm|l\d{1,2}|basic|x-mulaw|x-alaw|pcm[ua]|mulaw|alaw|g711)/, SAMPLES],
  [/^(?:audio|video)\//, RECORDING],
  [/^application\/(?:x-)?pdf$/, PDF],
  [/^application\/(?:msword|vnd\.ms-)/, OFFICE],
  [/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./, OFFICE_ARCHIVE],
  [
    /^(?:text\/|application\/(?:json|xml|csv|rtf|yaml|x-yaml|javascript|x-sh|sql|x-ndjson)$|.*\+(?:json|xml|yaml)$)/,
    TEXT,
  ],
];

/** What media are by the endings of files, and by the formats that requests name. */
const KINDS_BY_NAME: readonly (readonly [names: string, kinds: ClaimedKinds])[] = [
  ['png jpg jpeg jpe gif webp avif heic heif bmp tif tiff ico jxl jp2', PICTURE],
  [
    'wav mp3 mpeg mpga mp4 m4a m4v flac ogg oga ogv opus webm aac aiff aif wma amr mov mpg avi mkv wmv flv 3gp 3gpp',
    RECORDING,
  ],
  ['pcm pcm16 pcm24 g711_ulaw g711_alaw mulaw alaw ulaw raw', SAMPLES],
  ['pdf', PDF],
  ['doc xls ppt dot xlt pps', OFFICE],
  ['docx xlsx pptx odt ods odp docm xlsm pptm dotx xltx', OFFICE_ARCHIVE],
  [
    'txt text md csv tsv json jsonl ndjson xml html htm yaml yml log ini cfg conf toml sql rtf svg eml vcf ics js ts py sh',
    TEXT,
  ],
];

const KINDS_OF_NAMES: ReadonlyMap<string, ClaimedKinds> = new Map(
  KINDS_BY_NAME.flatMap(([names, kinds]) => names.split(' ').map((name) => [name, kinds] as const)),
);

/** The kinds that a media type allows. @returns undefined for a type that says nothing of them */
export function kindsOfType(type: string): ClaimedKinds | undefined {
  const plain = type.trim().toLowerCase();
  return KINDS_BY_TYPE.find(([form]) => form.test(plain))?.[1];
}

/** The kinds that the name of a file allows by its ending. @returns undefined for a name that says nothing of them */
export function kindsOfFile(name: string): ClaimedKinds | undefined {
  return kindsOfFormat(/\.(\w{1,8})$/.exec(name.trim())?.[1] ?? '');
}

/** The kinds that a format allows, as requests name it. @returns undefined for a format that says nothing of them */
export function kindsOfFormat(format: string): ClaimedKinds | undefined {
  return KINDS_OF_NAMES.get(format.toLowerCase());
}

/** Media in base64 in either of its alphabets, decoded as far as they are asked for. */
export class MediaContent {
  private readonly head: Buffer;
  private readonly isWhole: boolean;

  /** @param source with base64 from a position on */
  constructor(
    private readonly source: string,
    private readonly start: number,
  ) {
    this.head = Buffer.from(source.slice(start, start + HEAD_LETTERS), 'base64');
    this.isWhole = source.length - start <= HEAD_LETTERS;
  }

  /** What the first bytes say that the media are; undefined if they are those of no known kind. */
  get kind(): MediaKind | undefined {
    const head = this.head.toString('latin1', 0, HEAD_BYTES);
    return HEADS.find(([, form]) => form.test(head))?.[0];
  }

  /** Whether the first bytes can be those of a text, in whatever alphabet of eight bits. */
  get resemblesText(): boolean {
    return !NO_TEXT.test(this.head.toString('latin1'));
  }

  /** The text that the media are: undefined if they are no text in UTF-8. */
  text(): string | undefined {
    if (!this.resemblesText) return undefined;
    const bytes = this.isWhole ? this.head : Buffer.from(this.source.slice(this.start), 'base64');
    if (!isUtf8(bytes)) return undefined;
    const text = bytes.toString();
    return NO_TEXT.test(text) ? undefined : text;
  }
}
