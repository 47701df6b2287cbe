/*
 * Stands in for Zod in the browser (vite.config.ts). The screens call endpoints by their method and path, and
 * the server is who validates: the schemas themselves, 22 KB compressed, stay at home. A schema here keeps its
 * `shape` and nothing else; asking it to validate is an error, and loud.
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
