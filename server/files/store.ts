import { createHash } from 'node:crypto';

/** Files outside the database, by name: `<order>/<sha256>.png`. */
export type Files = {
  /** Stores the bytes under `name`; replaces an existing file. */
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the bytes; undefined if there is no such file. Throws if the store cannot be read, FileChanged if they are other ones. */
  get: (name: string) => Promise<Buffer | undefined>;
  /** Deletes the file; a missing one counts as deleted. */
  remove: (name: string) => Promise<void>;
};

const NAME = /^[0-9a-f-]{36}\/[0-9a-f]{64}\.(png|jpg)$/;

/** Throws for a name that is not one of the program's own, so that no name leads out of the store. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new Error(`Not a name of a stored file: ${name}`);
  return name;
}

/** Bytes that a stored file has at most: a photo of a delivery is accepted up to 1 MB. */
export const MAX_BYTES = 1_048_576;

/** The stored bytes are not those that were stored. */
export class FileChanged extends Error {}

/** Returns the bytes if they have the SHA-256 that the name says. Throws FileChanged. */
export function checkBytes(name: string, bytes: Buffer): Buffer {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (!name.includes(`/${sha256}.`)) throw new FileChanged(`Not the stored bytes: ${name}`);
  return bytes;
}
