import { toast } from '../ui/page/toast.tsx';
import { FAILED, type Refusal, type UserAction, userRefusal } from './user-errors.ts';

/** Shows why a user could not be saved; adds the cause to the generic «no se pudo» of section 8. */
export function showRefusal(action: UserAction, error: Refusal): void {
  const sentence = userRefusal(action, error);
  if (sentence) toast.error(sentence);
  else toast.error(error.message, { title: FAILED[action] });
}
