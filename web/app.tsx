import './base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { getCsrfToken } from '../contract/session/session.ts';
import { ApiError, call, queryClient } from './api.ts';
import { colorSchemeManager, DEFAULT_APPEARANCE, useAppearance } from './appearance.ts';
import { askServerBy, lazyPart, screenStands } from './lazy.ts';
import type { AppRouter } from './router.tsx';
import { cssVariables, themeOf } from './theme.ts';
import { loadToasts } from './ui/page/toast.tsx';

askServerBy(() =>
  call(getCsrfToken).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError && error.status === 0 ? error : undefined),
  ),
);

const Toasts = lazyPart(loadToasts);
const schemes = colorSchemeManager();

export function App({ router }: { router: AppRouter }) {
  const { primaryColor, compactMode } = useAppearance();
  const theme = useMemo(() => themeOf(primaryColor, compactMode), [primaryColor, compactMode]);
  // Mounts the toasts after the first screen, to keep that screen light.
  const [shown, setShown] = useState(false);
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        setShown(true);
        screenStands(() => queryClient.isFetching() > 0);
      }),
    [router],
  );
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
      {shown && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </MantineProvider>
  );
}
