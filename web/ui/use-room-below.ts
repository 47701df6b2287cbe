import { type RefObject, useEffect, useLayoutEffect } from 'react';

const LEAST = 352;
/** The bar of the shell and a margin. */
const BAR = 76;

function measure(element: HTMLElement | null) {
  if (!element) return;
  const left = innerHeight - element.getBoundingClientRect().top - scrollY - 16;
  const room = left < LEAST ? Math.max(LEAST, innerHeight - BAR) : left;
  element.style.setProperty('--room', `${Math.round(room)}px`);
}

/**
 * Keeps `--room` of an element at the height that the window leaves from its top down, whatever stands over it;
 * an element that begins low gets a whole window, to be scrolled to.
 */
export function useRoomBelow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => measure(ref.current));
  useEffect(() => {
    const again = () => measure(ref.current);
    // Filters that wrap and figures that arrive move the element: the body changes height with them.
    const observer = new ResizeObserver(again);
    observer.observe(document.body);
    addEventListener('resize', again);
    return () => {
      observer.disconnect();
      removeEventListener('resize', again);
    };
  }, [ref]);
}
