import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { moveStop } from './arrange.ts';

/** Distance in pixels from the screen's upper and lower edge where a drag scrolls the page, and pixels scrolled each time. */
const EDGE = 80;
const STEP = 10;
/** Pixels to move towards an edge before the page scrolls: holding a handle near the edge must not scroll. */
const MEANT = 12;

type Drag = { id: string; ids: string[] };

/** Reorders a list by dragging a handle. Until the drop items only look moved: a touched item must stay in the document. */
export function useDrag(ids: readonly string[], onDrop: (ids: string[], id: string) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [drag, show] = useState<Drag>();
  // A thumb may let go before the last move is rendered.
  const latest = useRef<Drag>(undefined);
  const y = useRef(0);
  const start = useRef(0);

  function setDrag(next: Drag | undefined): void {
    latest.current = next;
    show(next);
  }

  function place(): void {
    const drag = latest.current;
    if (!drag || !list.current) return;
    const heights = new Map([...list.current.children].map((item, at) => [ids[at], item.getBoundingClientRect()]));
    const others = drag.ids.filter((id) => id !== drag.id);
    // The new index is the number of items whose middle is above the thumb.
    const to = others.filter((id) => {
      const box = heights.get(id);
      return box && (box.top + box.bottom) / 2 < y.current;
    }).length;
    if (drag.ids.indexOf(drag.id) !== to) setDrag({ ...drag, ids: moveStop(drag.ids, drag.id, to) });
  }

  const follow = useEffectEvent(() => {
    const way = y.current - start.current;
    const down = way > MEANT && y.current > innerHeight - EDGE;
    const up = way < -MEANT && y.current < EDGE;
    if (!down && !up) return;
    scrollBy(0, down ? STEP : -STEP);
    place();
  });
  const cancel = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') setDrag(undefined);
  });
  const dragging = drag !== undefined;
  useEffect(() => {
    if (!dragging) return;
    let frame = requestAnimationFrame(function again() {
      follow();
      frame = requestAnimationFrame(again);
    });
    addEventListener('keydown', cancel);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('keydown', cancel);
    };
  }, [dragging]);

  return {
    /** Ids in the displayed order. */
    seen: drag?.ids ?? ids,
    held: drag?.id,
    list: {
      ref: list,
      onPointerMove: ({ clientY }: PointerEvent) => {
        y.current = clientY;
        place();
      },
      onPointerUp: () => {
        const dropped = latest.current;
        setDrag(undefined);
        if (dropped?.ids.some((id, at) => id !== ids[at])) onDrop(dropped.ids, dropped.id);
      },
      onPointerCancel: () => setDrag(undefined),
    },
    handle: (id: string) => ({
      onPointerDown: ({ button, pointerId, clientY }: PointerEvent) => {
        if (button !== 0) return;
        list.current?.setPointerCapture(pointerId);
        y.current = clientY;
        start.current = clientY;
        setDrag({ id, ids: [...ids] });
      },
    }),
  };
}
