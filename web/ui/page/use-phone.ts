import { useMediaQuery } from '@mantine/hooks';

/** Media query in em, so that large text in a wide window gets the layout of a narrow window. */
const under = (width: number) => `(max-width: ${(width - 0.02) / 16}em)`;

export const useUnder = (width: number): boolean => useMediaQuery(under(width), false, { getInitialValueInEffect: false });

/** Under 768 px: tables become cards, dialogs fill the screen, the navigation is a drawer. */
export const usePhone = (): boolean => useUnder(768);

/** Current value of `usePhone`, for code outside components. */
export const isPhone = (): boolean => matchMedia(under(768)).matches;
