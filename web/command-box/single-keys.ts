import { useEffect, useRef, useState } from 'react';

/*
 * Shortcuts of one key. Whoever dictates or brushes keys can turn them off (WCAG 2.1.4), and they are deaf
 * while a field, a menu or a dialog has the keys.
 */

const STORED = 'atajosDeUnaTecla';
const read = () => {
  try {
    return localStorage.getItem(STORED) !== 'no';
  } catch {
    return true;
  }
};

/** Whether this browser listens to shortcuts of one key, and the switch. */
export function useSingleKeys() {
  const [on, setOn] = useState(read);
  function set(next: boolean) {
    setOn(next);
    try {
      localStorage.setItem(STORED, next ? 'si' : 'no');
    } catch {
      // A browser that keeps nothing forgets it on reload.
    }
  }
  return [on, set] as const;
}

const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="combobox"]';
export const dialogIsOpen = () => document.querySelector('[aria-modal="true"]') !== null;

/** Calls the listener of a key pressed alone, anywhere outside fields. */
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
