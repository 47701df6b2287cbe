import { toast } from '../ui/page/toast.tsx';
import { FAILED, type Refusal, type UserAction, userRefusal } from './user-errors.ts';

/** Says why a person could not be written; where section 8 only has «no se pudo», the cause stands below it. */
export function showRefusal(action: UserAction, error: Refusal): void {
  const sentence = userRefusal(action, error);
  if (sentence) toast.error(sentence);
  else toast.error(error.message, { title: FAILED[action] });
}
