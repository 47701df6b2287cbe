import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useUnder } from '../page/use-phone.ts';
import { Cards, rowCard } from './cards.tsx';
import classes from './data-table.module.css';
import { LazyRows } from './load-rows.ts';
import { EmptyState, ErrorState } from './loaded.tsx';
import { Pages } from './pages.tsx';
import type { Rows as RowsOf } from './rows.tsx';
import type { DataTableProps } from './table-props.ts';

const Rows = LazyRows as typeof RowsOf;

/** A list: table with sticky header on a desktop, cards on a phone; handles loading, error and empty states. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const {
    label,
    rows,
    card = rowCard(props.columns),
    empty,
    error,
    busy = false,
    pages,
    onRow,
    skeletonRows = 5,
    pinLast = false,
    oneLine = false,
    dense = false,
    cardsUnder = 768,
    drawnBy,
  } = props;
  const asCards = useUnder(cardsUnder);
  const frame = useRef<HTMLDivElement>(null);
  useRoomBelow(frame);
  const stands = !!rows;
  useEffect(() => {
    if (stands) performance.mark('filas', { detail: location.pathname });
  }, [stands]);

  if (error?.cause && !rows) {
    return (
      <div className={classes.frame}>
        <ErrorState title={error.title} error={error.cause} onRetry={error.onRetry} />
      </div>
    );
  }
  const nothing = rows?.length === 0;
  // Comes with the rows, which would push it down.
  const footer = pages && rows && <Pages {...pages} shown={rows.length} busy={busy} />;
  if (asCards || nothing) {
    return (
      <div ref={frame} aria-busy={busy || !rows} className={classes.frame} data-cards={(asCards && !nothing) || undefined}>
        {nothing ? (
          <EmptyState {...empty} />
        ) : (
          <Cards label={label} rows={rows} card={card} onRow={onRow} skeletons={skeletonRows} drawnBy={drawnBy} />
        )}
        {footer}
      </div>
    );
  }

  return (
    <div
      ref={frame}
      aria-busy={busy || !rows}
      className={classes.frame}
      data-busy={busy || undefined}
      data-pin-last={pinLast || undefined}
      data-one-line={oneLine || undefined}
      data-dense={dense || undefined}
    >
      <Rows {...props} frame={frame} />
      {footer}
    </div>
  );
}

const LEAST = 352;
/** Height of the top bar plus a margin, in pixels. */
const BAR = 76;
/** Bottom padding of `main`, in pixels. */
const MARGIN = 20;

function measure(element: HTMLElement | null) {
  // Cards do not scroll within the window, and measuring lays out the page.
  if (!element || element.dataset.cards) return;
  const left = innerHeight - element.getBoundingClientRect().top - scrollY - MARGIN;
  const room = left < LEAST ? Math.max(LEAST, innerHeight - BAR) : left;
  element.parentElement?.style.setProperty('--room', `${Math.floor(room)}px`);
}

/** Sets `--room` on the parent: the height left below the element; if too little, the window's height, because the page then scrolls. */
function useRoomBelow(ref: RefObject<HTMLElement | null>) {
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
