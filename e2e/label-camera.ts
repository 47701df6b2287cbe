import { writeFileSync } from 'node:fs';
import { pdfRects } from '../test/pdf.ts';

const WIDTH = 640;
const HEIGHT = 480;
/** Height of the QR code in the frame, in pixels. */
const SIZE = 320;
const FRAMES = 3;
const [BLACK, WHITE, GREY] = [30, 225, 128];

/** Writes a video of a label's QR code (from its PDF) for Chromium's `--use-file-for-fake-video-capture`. */
export function filmLabel(pdf: Uint8Array, path: string): void {
  const [code = []] = pdfRects(pdf);
  const left = Math.min(...code.map(({ x }) => x));
  const top = Math.min(...code.map(({ y }) => y));
  const scale = SIZE / (Math.max(...code.map(({ y, height }) => y + height)) - top);
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  const [x0, y0] = [(WIDTH - SIZE) / 2, (HEIGHT - SIZE) / 2];
  for (const { x, y, width, height } of code) {
    const from = Math.round(x0 + (x - left) * scale);
    const to = Math.round(x0 + (x - left + width) * scale);
    for (let row = Math.round(y0 + (y - top) * scale); row < Math.round(y0 + (y - top + height) * scale); row += 1)
      luma.fill(BLACK, row * WIDTH + from, row * WIDTH + to);
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)]);
  writeFileSync(
    path,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F5:1 Ip A1:1 C420jpeg\n`), ...Array.from({ length: FRAMES }, () => frame)]),
  );
}
