import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS } from '../../../contract/kit/picture.ts';

/** Maximum side in pixels and JPEG quality, best first; the last pair fits any picture. */
const TRIES = [
  [MAX_PICTURE_PIXELS, 0.82],
  [MAX_PICTURE_PIXELS, 0.6],
  [320, 0.6],
  [200, 0.5],
] as const;

/** Converts a picture into a base64 JPEG within the server's limits; throws if the browser cannot read the file. */
export async function shrinkPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const small = TRIES.map(
    ([side, quality]) =>
      () =>
        drawn(picture, side, quality),
  ).reduce((done, draw) => (fits(done) ? done : draw()), '');
  picture.close();
  return small;
}

const fits = (base64: string) => base64 !== '' && base64.length <= Math.floor(MAX_PICTURE_BYTES / 3) * 4;

function drawn(picture: ImageBitmap, side: number, quality: number): string {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  // Fills the ground with white: JPEG has no transparency, and transparent areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const address = canvas.toDataURL('image/jpeg', quality);
  return address.slice(address.indexOf(',') + 1);
}
