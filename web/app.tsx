import './base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { getCsrfToken } from '../contract/session/session.ts';
import { ApiError, call, queryClient } from './api.ts';
import { colorSchemeManager, DEFAULT_APPEARANCE, useAppearance } from './appearance.ts';
import { lazyPart, registerProbe } from './lazy.ts';
import type { AppRouter } from './router.tsx';
import { accentTheme, cssVariables } from './theme.ts';

registerProbe(() =>
  call(getCsrfToken).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError && error.status === 0 ? error : undefined),
  ),
);

const Toasts = lazyPart(() => import('./ui/page/toasts.tsx'));

const schemes = colorSchemeManager();

export function App({ router }: { router: AppRouter }) {
  const { primaryColor, compactMode } = useAppearance();
  const theme = useMemo(() => accentTheme(primaryColor, compactMode), [primaryColor, compactMode]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme={DEFAULT_APPEARANCE.theme}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <LateToasts router={router} />
    </MantineProvider>
  );
}

/** Toasts, once the first screen stands; those of before are shown then. */
function LateToasts({ router }: { router: AppRouter }) {
  const [stands, setStands] = useState(false);
  useEffect(() => router.subscribe('onRendered', () => setStands(true)), [router]);
  return (
    stands && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  );
}
