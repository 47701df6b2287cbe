/** A file of docs/guia, as guide.plugin.ts builds it. */
declare module '*.md' {
  const guide: import('./read-guide.ts').Guide;
  export default guide;
  /** Addresses of the pictures, by the path in the text. */
  export const pictures: Record<string, string>;
}
