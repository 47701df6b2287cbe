import { useMediaQuery } from '@mantine/hooks';

export const useUnder = (width: number): boolean =>
  useMediaQuery(`(max-width: ${width - 0.02}px)`, false, { getInitialValueInEffect: false });

/** Under 768 px: tables become cards, dialogs fill the screen, the navigation is a drawer. */
export const usePhone = (): boolean => useUnder(768);
