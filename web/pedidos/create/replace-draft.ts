import { confirm } from '../../ui/dialog/confirm.ts';
import { hasContent, readDraft } from './draft.ts';

const REPLACE = {
  title: 'Sustituir el borrador',
  message: 'Dejaste un pedido a medias en «Nuevo Pedido»: se perderá lo que escribiste.',
  confirm: 'Sustituir el borrador',
  danger: true,
};

/** True if `owner` has no draft of a new order, or agrees to discard it. */
export async function mayReplaceDraft(owner: string): Promise<boolean> {
  const draft = readDraft(owner);
  return !draft || !hasContent(draft.values) || confirm(REPLACE);
}
