import { createHash } from 'node:crypto';

/** Store of files outside the database, named `<order id>/<sha256>.png` or `.jpg`. */
export type Files = {
  /** Stores the bytes under `name`; replaces an existing file. */
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the bytes; undefined if there is no such file. Throws if the store fails, and FileChanged if the bytes do not match the name. */
  get: (name: string) => Promise<Buffer | undefined>;
  /** Deletes the file; succeeds if there is no such file. */
  remove: (name: string) => Promise<void>;
};

const NAME = /^[0-9a-f-]{36}\/[0-9a-f]{64}\.(png|jpg)$/;

/** Returns `name`. Throws unless the name has the form of a stored file, so that no path leads out of the store. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new Error(`Not a name of a stored file: ${name}`);
  return name;
}

/** Maximum bytes of a stored file: proofs of delivery are accepted up to 1 MB. */
export const MAX_BYTES = 1_048_576;

/** Thrown if stored bytes have changed since they were written. */
export class FileChanged extends Error {}

/** Returns the bytes. Throws FileChanged unless the name has their SHA-256. */
export function checkBytes(name: string, bytes: Buffer): Buffer {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (!name.includes(`/${sha256}.`)) throw new FileChanged(`Not the stored bytes: ${name}`);
  return bytes;
}
