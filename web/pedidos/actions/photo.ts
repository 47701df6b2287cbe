import { withoutMetadata } from '../../../contract/pruebas/jpeg.ts';

const MAX_SIDE = 1600;
const MAX_BYTES = 1_000_000;
const QUALITIES = [0.82, 0.6, 0.4];

const jpegOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob>((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('The photo is too large to draw'))), 'image/jpeg', quality),
  );

/** Returns a JPEG small enough to send, without metadata (place, device). Throws for a file that is not an image. */
export async function smallPhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  let bytes = new Uint8Array();
  for (const quality of QUALITIES) {
    bytes = new Uint8Array(withoutMetadata(new Uint8Array(await (await jpegOf(canvas, quality)).arrayBuffer())));
    if (bytes.length <= MAX_BYTES) break;
  }
  return new Blob([bytes], { type: 'image/jpeg' });
}
