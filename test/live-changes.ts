import { onTestFinished } from 'vitest';
import { CHANNEL, type LiveChange } from '../server/live/emit.ts';
import type { World } from './world.ts';

/** Returns a list to which every live change is added from now on until the end of the test. */
export async function liveChanges({ open }: World): Promise<LiveChange[]> {
  const heard: LiveChange[] = [];
  onTestFinished(
    await open.listen(
      CHANNEL,
      (payload) => void heard.push(JSON.parse(payload) as LiveChange),
      () => {},
    ),
  );
  return heard;
}
