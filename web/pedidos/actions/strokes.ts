import type SignaturePad from 'signature_pad';

/** Loads the signature library on demand. */
export const lazyPad = () => import('signature_pad').then((module) => module.default);

/* A signature as points relative to the width of its canvas, without pressure, speed or time. */

type Point = { x: number; y: number };
export type Strokes = Point[][];

/** Width of the line as a fraction of the canvas width. */
const LINE = 1 / 180;
const WIDTH = 900;
/** Height of the canvas as a fraction of its width. */
export const RATIO = 0.5;

/** Draws every line with the same width: a varying width would reveal the speed. */
export const signaturePen = (width: number) => ({
  minWidth: width * LINE,
  maxWidth: width * LINE,
  dotSize: width * LINE,
  penColor: '#111',
});

const place = (value: number) => Math.round(value * 10_000) / 10_000;

export const readStrokes = (pad: SignaturePad, width: number): Strokes =>
  pad.toData().map(({ points }) => points.map(({ x, y }) => ({ x: place(x / width), y: place(y / width) })));

export function drawStrokes(pad: SignaturePad, strokes: Strokes, width: number): void {
  const pen = { ...signaturePen(width), velocityFilterWeight: 0, compositeOperation: 'source-over' as const };
  pad.fromData(
    strokes.map((points) => ({ ...pen, points: points.map(({ x, y }) => ({ x: x * width, y: y * width, pressure: 0.5, time: 0 })) })),
  );
}

/** Parses stored strokes; returns none for malformed JSON. */
export function parseStrokes(text: string): Strokes {
  try {
    const parsed: unknown = JSON.parse(text || '[]');
    return Array.isArray(parsed) ? (parsed as Strokes) : [];
  } catch {
    return [];
  }
}

/** Renders a signature as a PNG of the same size on every screen. */
export async function signaturePicture(strokes: Strokes): Promise<Blob> {
  const Pad = await lazyPad();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = WIDTH * RATIO;
  const pad = new Pad(canvas, { backgroundColor: '#fff' });
  drawStrokes(pad, strokes, WIDTH);
  pad.off();
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('No picture of the signature'))), 'image/png'),
  );
}
