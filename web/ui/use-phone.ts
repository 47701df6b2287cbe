import { useMediaQuery } from '@mantine/hooks';

/** Under 768 px: tables become cards, dialogs fill the screen, the navigation is a drawer. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false });
