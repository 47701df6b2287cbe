export type FocusableForm = { getInputNode: (path: string) => HTMLElement | null };

/** Focuses the first field with an error, after the form has rendered it. */
export function focusFirst(form: FocusableForm, errors: Record<string, unknown>): void {
  requestAnimationFrame(() => {
    const nodes = Object.keys(errors).flatMap((field) => form.getInputNode(field) ?? []);
    nodes.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]?.focus();
  });
}
