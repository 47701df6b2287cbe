/** True if other machines cannot open the address, because it is a loopback address. */
export const isOnlyHere = (link: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(/^\w+:/.test(link) ? new URL(link).hostname : window.location.hostname);
