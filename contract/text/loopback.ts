/** True for a host name of this machine alone, which no other device reaches. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(hostname);
