import { mayEver } from '../../../contract/policy/policy.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { later } from '../../lazy.ts';

/** Loaded after the first screen: the outbox is not needed until there are rows. */
export const outboxParts = later(() => import('./outbox.ts'));

/** True for a role that can work without coverage. */
export const hasOutbox = (actor: SessionUser): boolean => mayEver(actor, 'device:outbox');
