/* Letters typed after Ctrl+K, before the box has loaded and has the focus. */

let end: (() => string) | undefined;

/** Collects typed letters until `takeKeys`; Escape discards the letters. */
export function catchKeys(): void {
  if (end) return;
  let typed = '';
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') return void takeKeys();
    if (key.length === 1) typed += key;
    else if (key === 'Backspace') typed = typed.slice(0, -1);
    // Enter must not press the button that still has the focus.
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

/** Stops collecting; returns the letters. */
export function takeKeys(): string {
  const typed = end?.() ?? '';
  end = undefined;
  return typed;
}
