import { useState } from 'react';

const WEEK = 7 * 24 * 60 * 60;

/** Whether the side navigation is collapsed to icons; this browser remembers it for a week. */
export function useSidebar() {
  const [collapsed, setCollapsed] = useState(() => /(?:^|;\s*)sidebar=collapsed(?:;|$)/.test(document.cookie));
  function toggle() {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `sidebar=${collapsed ? 'expanded' : 'collapsed'}; path=/; max-age=${WEEK}; samesite=lax`;
    setCollapsed(!collapsed);
  }
  return { collapsed, toggle };
}
