const EVERY_MS = 1000;

/** Saves progress at most once a second. Uses its own timer because the caller of `advance` is inside a transaction. */
export function followProgress<T>(save: (reached: T) => Promise<unknown>): { advance: (reached: T) => void; stop: () => Promise<void> } {
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
    stop: async () => {
      clearInterval(clock);
      await saving;
      if (reached) await saveReached().catch(() => {});
    },
  };
}
