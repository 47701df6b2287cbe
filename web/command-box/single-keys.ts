import { useLocalStorage, useWindowEvent } from '@mantine/hooks';

/*
 * Single-key shortcuts. They can be turned off, because speech input and stray keys trigger them (WCAG 2.1.4), and are ignored while a
 * field, menu or dialog has the focus.
 */

export const useSingleKeys = () =>
  useLocalStorage({
    key: 'atajosDeUnaTecla',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (on) => (on ? 'si' : 'no'),
    deserialize: (stored) => stored !== 'no',
  });

const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="combobox"]';
export const dialogIsOpen = () => document.querySelector('[aria-modal="true"]') !== null;

/** Calls the listener of a key pressed without modifiers, outside fields, menus and dialogs. */
export function useKeys(enabled: boolean, listeners: Record<string, (() => void) | undefined>) {
  useWindowEvent('keydown', (event) => {
    const listener = enabled ? listeners[event.key] : undefined;
    const { target } = event;
    if (!listener || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if ((target instanceof Element && target.closest(TAKES_KEYS)) || dialogIsOpen()) return;
    event.preventDefault();
    listener();
  });
}
