import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';

const WEEK = 7 * 24 * 60 * 60;

/** Whether the sidebar is collapsed: the last choice (kept for a week), else by the window's width. */
export function useSidebar() {
  const narrow = useMediaQuery('(max-width: 1199.98px)', false, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState(() => /(?:^|;\s*)sidebar=(\w+)/.exec(document.cookie)?.[1]);
  const collapsed = chosen ? chosen === 'collapsed' : narrow;
  function toggle() {
    const next = collapsed ? 'expanded' : 'collapsed';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `sidebar=${next}; path=/; max-age=${WEEK}; samesite=lax`;
    setChosen(next);
  }
  return { collapsed, toggle };
}
