import { useWindowEvent } from '@mantine/hooks';
import type { ApiError } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';
import { FAILED, type UserAction, userRefusal } from './user-errors.ts';

/** Shows why a user could not be saved, with the server's message if there is no better one (specification, section 8). */
export function showRefusal(action: UserAction, error: ApiError): void {
  const sentence = userRefusal(action, error);
  if (sentence) toast.error(sentence, { about: error.about });
  else toast.error(error.message, { title: FAILED[action], about: error.about });
}

/** Window event after a user is created, on any screen (specification, section 2.20). */
const USER_CREATED = 'user-created';

export const announceUserCreated = () => window.dispatchEvent(new CustomEvent(USER_CREATED));

export const useUserCreated = (listener: () => void) => useWindowEvent(USER_CREATED, listener);
