/* Metadata of a JPEG or PNG: EXIF holds the place and the phone model of a photo. The browser removes metadata, and the server checks. */

const START = 0xffd8;
const END = 0xd9;
const SCAN = 0xda;
const BEHIND = -1;

/** `marker` is `BEHIND` for bytes after the picture's end, which decoders ignore. */
type Segment = { marker: number; from: number; to: number };

/** Chunks of a PNG that draw it (ISO/IEC 15948); all others can hold texts. */
const DRAWN = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'gAMA', 'cHRM', 'sRGB', 'pHYs', 'sBIT', 'bKGD'];

/** Chunks of a PNG; undefined for bytes that cannot be parsed. */
function chunksOf(view: DataView): Segment[] | undefined {
  const segments: Segment[] = [];
  let [at, type] = [8, ''];
  while (type !== 'IEND' && at + 12 <= view.byteLength) {
    const from = at;
    type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(from + i)));
    at += 12 + view.getUint32(from);
    if (at > view.byteLength) return undefined;
    segments.push({ marker: DRAWN.includes(type) ? 0 : BEHIND, from, to: at });
  }
  return at < view.byteLength ? [...segments, { marker: BEHIND, from: at, to: view.byteLength }] : segments;
}

/** Segments of a JPEG without the pixels, or of a PNG; undefined for bytes that cannot be parsed as a whole picture. */
function segmentsOf(bytes: Uint8Array): Segment[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > 8 && view.getUint32(0) === 0x89504e47) return chunksOf(view);
  if (bytes.length < 4 || view.getUint16(0) !== START) return undefined;
  const segments: Segment[] = [];
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === END) return at + 2 === bytes.length ? segments : [...segments, { marker: BEHIND, from: at + 2, to: bytes.length }];
    if (at + 4 > bytes.length) return undefined;
    const to = at + 2 + view.getUint16(at + 2);
    if (to > bytes.length) return undefined;
    segments.push({ marker, from: at, to });
    at = marker === SCAN ? endOfScan(bytes, to) : to;
  }
  return undefined;
}

/** Returns the position of the marker that ends the pixels. FF 00 is a pixel byte, D0–D7 restart the decoder. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && (bytes[at + 1] === 0 || ((bytes[at + 1] ?? 0) & 0xf8) === 0xd0)) at = bytes.indexOf(0xff, at + 2);
  return at < 0 ? bytes.length : at;
}

/** Size in bytes of JFIF's header without a thumbnail. Adobe's colour transform is smaller. */
const HEADER = 18;
// APP0–APP15 and comments, except JFIF's header (APP0) and Adobe's colour transform (APP14), without which decoders show wrong colours.
const isMetadata = ({ marker, from, to }: Segment) =>
  marker === BEHIND ||
  marker === 0xfe ||
  (marker >= 0xe0 && marker <= 0xef && !((marker === 0xe0 || marker === 0xee) && to - from <= HEADER));

/** True if the picture holds metadata, or its segments cannot be read. */
export const hasMetadata = (bytes: Uint8Array): boolean => segmentsOf(bytes)?.some(isMetadata) ?? true;

/** Returns the picture without metadata; bytes that cannot be parsed are returned unchanged. */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const dropped = segmentsOf(bytes)?.filter(isMetadata) ?? [];
  const kept: Uint8Array[] = [];
  let from = 0;
  for (const segment of dropped) {
    kept.push(bytes.subarray(from, segment.from));
    from = segment.to;
  }
  kept.push(bytes.subarray(from));
  const length = kept.reduce((sum, part) => sum + part.length, 0);
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of kept) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
