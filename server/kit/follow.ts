const EVERY_MS = 1000;

/**
 * Saves how far long work is, once a second, by `save`. Uses its own timer because the caller of `advance` is inside a
 * transaction. What cannot be saved is saved again a second later: a database that is gone fails the work itself.
 */
export function follow<T>(save: (reached: T) => Promise<unknown>): { advance: (reached: T) => void; stop: () => Promise<void> } {
  let reached: { now: T } | undefined;
  let busy = false;
  let saving: Promise<unknown> = Promise.resolve();
  const saveReached = async () => {
    const { now } = reached as { now: T };
    reached = undefined;
    await save(now);
  };
  const clock = setInterval(() => {
    if (!reached || busy) return;
    busy = true;
    saving = saveReached()
      .catch(() => {})
      .finally(() => (busy = false));
  }, EVERY_MS);
  return {
    advance: (now) => (reached = { now }),
    /** Ends after saving what was reached last. */
    stop: async () => {
      clearInterval(clock);
      await saving;
      if (reached) await saveReached().catch(() => {});
    },
  };
}
