import { useEffect, useRef, useState } from 'react';

/*
 * Single-key shortcuts. Speech input and stray key presses can trigger them, so they can be turned off
 * (WCAG 2.1.4). They do nothing while a field, a menu or a dialog takes the keys.
 */

const STORED = 'atajosDeUnaTecla';
const read = () => {
  try {
    return localStorage.getItem(STORED) !== 'no';
  } catch {
    return true;
  }
};

/** Whether single-key shortcuts are on in this browser, and its setter. */
export function useSingleKeys() {
  const [on, setOn] = useState(read);
  function set(next: boolean) {
    setOn(next);
    try {
      localStorage.setItem(STORED, next ? 'si' : 'no');
    } catch {
      // Without storage the choice lasts until reload.
    }
  }
  return [on, set] as const;
}

const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="combobox"]';
export const dialogIsOpen = () => document.querySelector('[aria-modal="true"]') !== null;

/** Calls the listener of a key pressed without modifiers outside fields, menus and dialogs. */
export function useKeys(enabled: boolean, listeners: Record<string, (() => void) | undefined>) {
  const latest = useRef(listeners);
  useEffect(() => {
    latest.current = listeners;
  });
  useEffect(() => {
    if (!enabled) return;
    function onKey(event: KeyboardEvent) {
      const listener = latest.current[event.key];
      const { target } = event;
      if (!listener || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if ((target instanceof Element && target.closest(TAKES_KEYS)) || dialogIsOpen()) return;
      event.preventDefault();
      listener();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [enabled]);
}
