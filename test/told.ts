import { CHANNEL, type LiveChange } from '../server/live/emit.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Changes that `work` tells to browsers, as «topic role role», with ids of people; waits for those `wanted`. */
export async function hearing(world: World, wanted: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const heard: string[] = [];
  const hear = (payload: string) => {
    const { topic, roles = [], users = [] } = JSON.parse(payload) as LiveChange;
    heard.push([topic, ...roles, ...users].join(' '));
  };
  const stop = await world.open.listen(CHANNEL, hear, () => {});
  await work();
  await until(
    () => wanted.every((change) => heard.includes(change)),
    () => `only «${heard.join('», «')}» were told`,
    20,
  );
  await stop();
}

/** Recipients of the mails that `work` queues, in their order. */
export async function mailed(world: World, work: () => Promise<unknown>): Promise<string[]> {
  const queued = async () => {
    const rows = await world.db.selectFrom('outbox').select(['id', 'recipient']).where('channel', '=', 'correo').execute();
    return new Map(rows.map(({ id, recipient }) => [id, recipient]));
  };
  const before = await queued();
  await work();
  return [...(await queued())].flatMap(([id, recipient]) => (before.has(id) ? [] : [recipient])).toSorted();
}

/** Switches mail on, with these settings. */
export async function withMail({ db }: World, more: object = {}): Promise<void> {
  const data = { emailNotifications: true, emailProvider: 'smtp', smtpHost: 'correo.test', ...more };
  await db
    .updateTable('settings')
    .set({ data: JSON.stringify(data) as never })
    .execute();
}
