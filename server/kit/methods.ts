import { endpoints } from './endpoints.ts';

const PATTERNS = endpoints.map(({ endpoint: { method, path } }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** Methods of an API address, for `Allow`; empty for an unknown address. */
export function methodsOf(pathname: string): string[] {
  const found = new Set<string>(PATTERNS.flatMap(({ method, pattern }) => (pattern.test(pathname) ? [method] : [])));
  if (found.has('GET')) found.add('HEAD');
  return [...found].sort();
}
