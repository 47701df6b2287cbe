import { useWindowEvent } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';

/*
 * Single-key shortcuts. People can turn the shortcuts off, because speech input and stray keys trigger them (WCAG 2.1.4). A shortcut is
 * ignored while a field or menu has the focus, or a dialog is open.
 */

const KEY = 'atajosDeUnaTecla';
/** Choice for a browser whose storage is blocked. */
let chosen = true;
let tell = () => {};

function isOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'no';
  } catch {
    return chosen;
  }
}
function setOn(on: boolean): void {
  chosen = on;
  try {
    localStorage.setItem(KEY, on ? 'si' : 'no');
  } catch {
    // Storage may be blocked.
  }
  tell();
}
function subscribe(listener: () => void): () => void {
  tell = listener;
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/** State of single keys and its setter. Use in one component per page: a second component would replace the listener of the first. */
export const useSingleKeys = () => [useSyncExternalStore(subscribe, isOn), setOn] as const;

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
