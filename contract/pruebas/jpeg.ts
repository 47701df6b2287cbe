/* Metadata of a JPEG: EXIF holds the place and the phone model of a photo. The browser removes metadata, and the server checks. */

const START = 0xffd8;
const SCAN = 0xda;

type Segment = { marker: number; from: number; to: number };

/** Segments before the picture itself; undefined for bytes that cannot be parsed as a JPEG. */
function segmentsOf(bytes: Uint8Array): Segment[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== START) return undefined;
  const segments: Segment[] = [];
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === SCAN) return segments;
    const to = at + 2 + view.getUint16(at + 2);
    if (to > bytes.length) return undefined;
    segments.push({ marker, from: at, to });
    at = to;
  }
  return undefined;
}

// APP1–APP15 and comments, except Adobe's colour transform (APP14), without which decoders show wrong colours.
const isMetadata = ({ marker }: Segment) => (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe;

/** True if the JPEG holds metadata, or its segments cannot be read. */
export const hasMetadata = (bytes: Uint8Array): boolean => segmentsOf(bytes)?.some(isMetadata) ?? true;

/** Returns the JPEG without metadata; bytes that cannot be parsed are returned unchanged. */
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
