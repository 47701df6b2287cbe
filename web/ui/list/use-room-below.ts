import { type RefObject, useEffect, useLayoutEffect } from 'react';

const LEAST = 352;
/** Height of the top bar plus a margin, in pixels. */
const BAR = 76;
/** Bottom padding of `main`, in pixels. */
const MARGIN = 20;

function measure(element: HTMLElement | null) {
  if (!element) return;
  const left = innerHeight - element.getBoundingClientRect().top - scrollY - MARGIN;
  const room = left < LEAST ? Math.max(LEAST, innerHeight - BAR) : left;
  element.parentElement?.style.setProperty('--room', `${Math.floor(room)}px`);
}

/**
 * Keeps `--room` at the window's height below the element's top, on the parent, so that siblings can use the value. An element that starts
 * low gets the full window, reached by scrolling.
 */
export function useRoomBelow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => measure(ref.current));
  useEffect(() => {
    const again = () => measure(ref.current);
    // Wrapping filters and late figures move the element and change the body's height.
    const observer = new ResizeObserver(again);
    observer.observe(document.body);
    addEventListener('resize', again);
    return () => {
      observer.disconnect();
      removeEventListener('resize', again);
    };
  }, [ref]);
}
