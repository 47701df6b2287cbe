import type { MantineColorsTuple } from '@mantine/core';

/*
 * All colours share one lightness scale (OKLCH), so that contrast meets WCAG AA for any hue, including the accent a person picks:
 * white text on shade 6, shade 9 on shade 1, and shade 4 on the dark background. `palette.test.ts` measures the contrast.
 */
const LADDER = [0.975, 0.945, 0.895, 0.82, 0.745, 0.65, 0.53, 0.47, 0.41, 0.355] as const;
// Relative chroma: the ends of the scale are less colourful than the middle.
const STRENGTH = [0.12, 0.24, 0.42, 0.65, 0.85, 1, 1, 0.95, 0.85, 0.72] as const;

type Rgb = [number, number, number];
const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const gamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [linear((value >> 16) / 255), linear(((value >> 8) & 255) / 255), linear((value & 255) / 255)];
}

const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((v) =>
      Math.round(gamma(Math.min(1, Math.max(0, v))) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** OKLCH chroma and hue of a colour. */
function tone([r, g, b]: Rgb): { chroma: number; hue: number } {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { chroma: Math.hypot(a, bb), hue: Math.atan2(bb, a) };
}

function oklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Reduces the chroma until the colour fits into sRGB. */
function shade(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; c > 0; c -= 0.004) {
    const rgb = oklch(lightness, c, hue);
    if (rgb.every((v) => v >= -0.0005 && v <= 1.0005)) return toHex(rgb);
  }
  return toHex(oklch(lightness, 0, 0));
}

/** The ten shades of a colour given as #rrggbb. */
export function shadesFrom(base: string): MantineColorsTuple {
  const { chroma, hue } = tone(fromHex(base));
  const at = (i: number) => shade(LADDER[i] ?? 0, chroma * (STRENGTH[i] ?? 1), hue);
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)];
}
