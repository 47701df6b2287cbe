import { type RefObject, useEffect, useLayoutEffect } from 'react';

const LEAST = 352;
/** The bar of the shell and a margin. */
const BAR = 76;
/** What `main` keeps free under everything. */
const MARGIN = 20;

function measure(element: HTMLElement | null) {
  if (!element) return;
  const left = innerHeight - element.getBoundingClientRect().top - scrollY - MARGIN;
  const room = left < LEAST ? Math.max(LEAST, innerHeight - BAR) : left;
  element.parentElement?.style.setProperty('--room', `${Math.floor(room)}px`);
}

/**
 * Keeps `--room` of an element's parent at the height that the window leaves from the element's top down, whatever
 * stands over it: what stands beside it there may share the room. An element that begins low gets a whole window,
 * to be scrolled to.
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
