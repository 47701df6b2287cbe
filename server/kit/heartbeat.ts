/** Milliseconds between heartbeats, and timeout of a request. */
const BEAT = { every: 60_000, patience: 10_000 };

/** Requests `url` each minute while `isWell`: an external service reports missing heartbeats. Returns a stop function. */
export function startHeartbeat(url: string, isWell: () => Promise<boolean>, onError: (error: unknown) => void, beat = BEAT): () => void {
  const once = async () => {
    try {
      if (!(await isWell())) return;
      const response = await fetch(url, { signal: AbortSignal.timeout(beat.patience), redirect: 'error' });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The heartbeat was answered with ${response.status}`);
    } catch (error) {
      onError(error);
    }
  };
  void once();
  const timer = setInterval(() => void once(), beat.every);
  return () => clearInterval(timer);
}
