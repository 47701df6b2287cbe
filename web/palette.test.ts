import { describe, expect, it } from 'vitest';
import { shadesFrom } from './palette.ts';

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
function luminance(hex: string) {
  const value = Number.parseInt(hex.slice(1), 16);
  return 0.2126 * linear((value >> 16) / 255) + 0.7152 * linear(((value >> 8) & 255) / 255) + 0.0722 * linear((value & 255) / 255);
}
function contrast(a: string, b: string) {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

describe('shades', () => {
  const bases = [
    '#3b82f6',
    '#e5484d',
    '#f76b15',
    '#d9a400',
    '#30a46c',
    '#0797b9',
    '#7c5cd6',
    '#ffff00',
    '#00ff00',
    '#ff00ff',
    '#000000',
    '#ffffff',
  ];
  it.each(bases)('text stays readable in every use of the shades of %s', (base) => {
    const s = shadesFrom(base);
    expect(contrast('#ffffff', s[6])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(s[6], '#f6f7f9')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(s[9], s[1])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(s[4], '#191c21')).toBeGreaterThanOrEqual(4.5);
  });

  it('the shades of a colour run from light to dark', () => {
    const s = shadesFrom('#3b82f6');
    expect([...s].sort((a, b) => luminance(b) - luminance(a))).toEqual([...s]);
  });
});
