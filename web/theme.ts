import { type CSSVariablesResolver, createTheme, type MantineThemeOverride } from '@mantine/core';
import { shadesFrom } from './palette.ts';
import { COMPACT_SPACES, FACE, HEIGHTS, remLength, SIZES, SPACES, WEIGHTS } from './tokens.ts';

/* Calm, dense, exact (design, section 8): neutral surfaces, one accent, one radius, one shadow. */

const RADIUS = '6px';
const SHADOW = '0 4px 16px -4px rgb(15 23 42 / 0.18)';
/** What opens is whole after a few frames, what closes is gone at once: a fade would be waiting. */
const QUICK = { duration: 120, exitDuration: 0 };
const inRem = <K extends string>(of: Record<K, number>, as: (px: number) => string = remLength) =>
  Object.fromEntries(Object.entries<number>(of).map(([name, px]) => [name, as(px)])) as Record<K, string>;
const everySize = (value: string) => ({ xs: value, sm: value, md: value, lg: value, xl: value });

// Hand-picked: surfaces and lines need finer steps than the generated scale has.
const gray = ['#f6f7f9', '#eef0f3', '#e4e7eb', '#d9dde3', '#c0c6cf', '#8b93a1', '#656c7a', '#4b525e', '#363c46', '#22272e'] as const;
const dark = ['#dde0e5', '#bcc1c9', '#a4abb6', '#7c8490', '#3b414b', '#2b3038', '#22262c', '#191c21', '#121418', '#0c0e11'] as const;

/** Theme with the given accent, in normal or compact density. */
export const accentTheme = (accent: string, compact: boolean): MantineThemeOverride =>
  createTheme({
    primaryColor: 'accent',
    // Shade 6 is the lightest with readable white text.
    primaryShade: 6,
    black: '#1c2026',
    colors: {
      accent: shadesFrom(accent),
      gray,
      dark,
      red: shadesFrom('#e5484d'),
      orange: shadesFrom('#f76b15'),
      yellow: shadesFrom('#d9a400'),
      green: shadesFrom('#30a46c'),
      teal: shadesFrom('#12a594'),
      cyan: shadesFrom('#0797b9'),
      blue: shadesFrom('#3b82f6'),
      violet: shadesFrom('#7c5cd6'),
    },
    fontFamily: FACE,
    fontSizes: {
      xs: remLength(SIZES.note),
      sm: remLength(SIZES.text),
      md: remLength(SIZES.text),
      lg: remLength(SIZES.lead),
      xl: remLength(SIZES.heading),
    },
    fontWeights: inRem(WEIGHTS, String),
    spacing: inRem(compact ? COMPACT_SPACES : SPACES),
    headings: {
      fontFamily: FACE,
      fontWeight: String(WEIGHTS.bold),
      sizes: {
        h1: { fontSize: remLength(SIZES.title), lineHeight: '1.3' },
        h2: { fontSize: remLength(SIZES.heading), lineHeight: '1.35' },
        h3: { fontSize: remLength(SIZES.lead), lineHeight: '1.4' },
        h4: { fontSize: remLength(SIZES.text), lineHeight: '1.4' },
        h5: { fontSize: remLength(SIZES.text), lineHeight: '1.4' },
      },
    },
    radius: everySize(RADIUS),
    defaultRadius: 'md',
    shadows: everySize(SHADOW),
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Text: { defaultProps: { size: 'sm' } },
      // Extends Text, but stands within texts of any size.
      Anchor: { defaultProps: { size: 'md' } },
      Group: { defaultProps: { gap: 'xs' } },
      Stack: { defaultProps: { gap: 'sm' } },
      // The list of options scrolls itself, so that it is one thing to keyboards and readers.
      Select: {
        defaultProps: { allowDeselect: false, withScrollArea: false, styles: { options: { maxHeight: '20rem', overflowY: 'auto' } } },
      },
      Badge: { defaultProps: { variant: 'light', radius: 'md', tt: 'none', fw: 600, size: 'md' } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Mostrar u ocultar la contraseña' } } },
      Paper: { defaultProps: { withBorder: true } },
      Tooltip: { defaultProps: { openDelay: 700, withArrow: true, events: { hover: true, focus: true, touch: false } } },
      Popover: { defaultProps: { shadow: 'md' } },
      Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false, transitionProps: QUICK } },
      // Tells screen readers that content is loading.
      Skeleton: { defaultProps: { 'aria-busy': true } },
      Notification: { defaultProps: { withBorder: true } },
      // Mantine's <header> would be a second banner landmark.
      ModalHeader: { defaultProps: { component: 'div' } },
      DrawerHeader: { defaultProps: { component: 'div' } },
      Modal: {
        defaultProps: { overlayProps: { backgroundOpacity: 0.45 }, transitionProps: QUICK },
        styles: { title: { fontSize: remLength(SIZES.heading), fontWeight: WEIGHTS.bold, lineHeight: 1.35 } },
      },
    },
  });

const TINTED = ['accent', 'gray', 'red', 'orange', 'yellow', 'green', 'teal', 'cyan', 'blue', 'violet'];
/** The `light` variant on dark ground: a translucent layer of the colour under tinted text. */
const veils = Object.fromEntries(
  TINTED.flatMap((color) => [
    [`--mantine-color-${color}-light`, `color-mix(in srgb, var(--mantine-color-${color}-5) 20%, transparent)`],
    [`--mantine-color-${color}-light-hover`, `color-mix(in srgb, var(--mantine-color-${color}-5) 28%, transparent)`],
    [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`],
  ]),
);

/** Replaces Mantine's colours that fail WCAG AA, and defines our surface variables. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--row-height': remLength(HEIGHTS.row),
    '--form-height': remLength(HEIGHTS.form),
    '--thumb-height': remLength(HEIGHTS.thumb),
  },
  light: {
    '--ground': 'var(--mantine-color-gray-0)',
    '--surface': 'var(--mantine-color-white)',
    '--line': 'var(--mantine-color-gray-3)',
    '--control-line': 'var(--mantine-color-gray-5)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-6)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
  },
  dark: {
    ...veils,
    '--ground': 'var(--mantine-color-dark-8)',
    '--surface': 'var(--mantine-color-dark-7)',
    '--line': 'var(--mantine-color-dark-5)',
    '--control-line': '#6b7280',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
  },
});
