import { z } from 'zod';

/* Small pictures sent as base64: their limits, and the rule of a body that holds one. */

export const MAX_PICTURE_PIXELS = 480;

export const MAX_PICTURE_BYTES = 30 * 1024;

const TOO_BIG = 'La imagen ocupa demasiado';

/** Picture in base64, or null to remove it. The server checks the content. */
export const pictureInput = (invalid: string) =>
  z
    .base64(invalid)
    .max(Math.ceil(MAX_PICTURE_BYTES / 3) * 4, TOO_BIG)
    .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) <= MAX_PICTURE_BYTES, TOO_BIG)
    .nullable();
