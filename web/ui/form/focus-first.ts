import type { UseFormReturnType } from '@mantine/form';

export type FocusableForm = { getInputNode: (path: string) => HTMLElement | null };

/** Maximum number of frames to wait for a folded section to open for a field with an error. */
const PATIENCE = 12;

/** Focuses the first field with an error, once the form has rendered such a field. */
export function focusFirst(form: FocusableForm, errors: Record<string, unknown>, left = PATIENCE): void {
  requestAnimationFrame(() => {
    const nodes = Object.keys(errors).flatMap((field) => form.getInputNode(field) ?? []);
    if (nodes.length === 0 && left > 0) return focusFirst(form, errors, left - 1);
    nodes.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]?.focus();
  });
}

type Submit<V, T> = UseFormReturnType<V, T>['onSubmit'];

/** Submit handler of a form: calls `save` with its values, or focuses the first field with an error. */
export const onValid = <V, T>(
  form: FocusableForm & { onSubmit: Submit<V, T> },
  save: Parameters<Submit<V, T>>[0],
): ReturnType<Submit<V, T>> => form.onSubmit(save, (errors) => focusFirst(form, errors));
