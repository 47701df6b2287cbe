/** Maximum number of browsers per person; beyond it, the oldest is dropped. */
export const MAX_SUBSCRIPTIONS = 10;

// Excludes IP addresses in any spelling, and names of local networks: requests must not reach internal hosts.
const PUBLIC_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const OWN_NETWORK = /\.(?:local|localhost|localdomain|internal|intranet|lan|home|corp|test|invalid|home\.arpa)$/;

/** True for a plausible push service URL: https, default port, public host name. */
export function isPushService(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username, password } = new URL(address);
  return protocol === 'https:' && port === '' && !username && !password && PUBLIC_NAME.test(hostname) && !OWN_NETWORK.test(hostname);
}
