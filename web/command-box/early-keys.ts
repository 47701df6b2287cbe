/* Letters typed after Ctrl+K, before the box has loaded and has the focus. */

let end: (() => string) | undefined;

/** Catches what is typed from now on; Escape gives up. */
export function catchKeys(): void {
  if (end) return;
  let typed = '';
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') return void takeKeys();
    if (key.length === 1) typed += key;
    else if (key === 'Backspace') typed = typed.slice(0, -1);
    // Not for the button that has the focus still.
    else if (key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('keydown', onKey, true);
  end = () => {
    window.removeEventListener('keydown', onKey, true);
    return typed;
  };
}

/** Ends the catching; returns what was typed meanwhile. */
export function takeKeys(): string {
  const typed = end?.() ?? '';
  end = undefined;
  return typed;
}
