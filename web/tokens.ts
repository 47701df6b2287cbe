/* The language of the screens (docs/looks.md): every size, weight and height there is. tokens.test.ts refuses others. */

/** Family, and its stand-ins of the same width (face.css) until the file is there. */
export const FACE = '"Figtree", "Figtree Arial", system-ui, sans-serif';

/** Text sizes in px: notes, text, lead and telephones, headings, titles and figures. base.css makes text 16 on telephones. */
export const SIZES = { note: 12, text: 14, lead: 16, heading: 18, title: 22 } as const;

/** Weights: text, labels and buttons, names and amounts. */
export const WEIGHTS = { regular: 400, medium: 500, bold: 600 } as const;

/** Heights of controls in px: within a row, on a form, under a thumb. */
export const HEIGHTS = { row: 28, form: 36, thumb: 48 } as const;

/** Distances in px: multiples of four, and two within one thing. */
export const SPACES = { xs: 8, sm: 12, md: 16, lg: 20, xl: 32 } as const;
export const COMPACT_SPACES = { xs: 4, sm: 8, md: 12, lg: 16, xl: 24 } as const;

/** Length in rem, which grows with the reader's text size. */
export const remLength = (px: number) => `${px / 16}rem`;
