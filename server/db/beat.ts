/** Returns the owner in the first line of a lock file; undefined if there is none. The second line is the heartbeat. */
export function parseLock(text: string): { id: string } | undefined {
  try {
    const owner: unknown = JSON.parse(text.split('\n')[0] ?? '');
    return typeof owner === 'object' && owner !== null && 'id' in owner ? (owner as { id: string }) : undefined;
  } catch {
    return undefined;
  }
}
