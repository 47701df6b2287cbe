import { mayEver } from '../../../contract/policy/policy.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { later } from '../../lazy.ts';

/** Outbox. Phones load the code after the first screen, or at once if operations are stored or a step is made. */
export const outboxParts = later(() => import('./outbox.ts'));

/** True for a role that can work without coverage. */
export const hasOutbox = (actor: SessionUser): boolean => mayEver(actor, 'device:outbox');
