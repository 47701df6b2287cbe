/* The anti-forgery cookie, which the server sets and every write echoes. */

export function antiForgery(): string | undefined {
  const value = document.cookie.match(/(?:^|;\s*)XSRF-TOKEN=([^;]*)/)?.[1];
  return value && decodeURIComponent(value);
}

/** Without the anti-forgery cookie there is no session, so nothing to request. */
export const mayHaveSession = (): boolean => antiForgery() !== undefined;
export function forgetAntiForgery(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=; Max-Age=0; Path=/';
}
