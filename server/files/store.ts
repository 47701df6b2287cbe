/** Files outside the database, by name: `<order>/<sha256>.png`. */
export type Files = {
  /** Stores the bytes under `name`, over what is there. */
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the bytes; undefined if there is no such file. Throws if the store cannot be read. */
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
