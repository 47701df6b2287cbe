/*
 * Replaces Zod in the browser bundle (vite.config.ts) and saves 22 KB compressed: screens only need the method
 * and path of an endpoint, and the server validates. A schema here keeps only its `shape`; trying to validate
 * with it throws.
 */
type Schema = (...args: unknown[]) => Schema;

const VALIDATING = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode', 'encode', '~standard']);

function schema(shape: object): Schema {
  const again: Schema = () => schema(shape);
  return new Proxy(again, {
    get(_, name) {
      if (name === 'shape') return shape;
      if (name === 'extend') return (more: object) => schema({ ...shape, ...more });
      if (VALIDATING.has(name)) throw new Error('The browser does not validate with the schemas of the contract: the server does.');
      return again;
    },
  });
}

export const z = new Proxy(schema({}), { get: (_, name) => (name === 'object' || name === 'strictObject' ? schema : schema({})) });
