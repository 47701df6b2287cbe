/* The anti-forgery cookie, which the server sets and every write echoes. */

export function antiForgery(): string | undefined {
  const value = document.cookie.match(/(?:^|;\s*)XSRF-TOKEN=([^;]*)/)?.[1];
  return value && decodeURIComponent(value);
}

/** False without the anti-forgery cookie: then there is no session to request. */
export const mayHaveSession = (): boolean => antiForgery() !== undefined;
export function clearAntiForgery(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = 'XSRF-TOKEN=; Max-Age=0; Path=/';
}
